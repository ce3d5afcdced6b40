import type {RequestListener} from 'node:http'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import type {ClockCheck} from '../../inbox/clock-check.ts'
import {createForwarder} from './forwarder.ts'
import {createHookIntake, createHookRates} from './hook-intake.ts'
import {deliverWebhook} from '../../platform/endpoints/webhook.ts'
import type {Log} from '../../relay/ports.ts'
import type {Store} from '../../store/store.ts'
import {createHookEndpoint} from './endpoint.ts'

interface HooksOptions {
  store: Store
  settingsOf: SettingsOf
  /** There is something to tell in a workspace. */
  onReceipt: (team: string) => void
  perMinute: number
  clock: ClockCheck
  log: Log
}

/** Hooks from their door to the platform. */
interface Hooks extends AsyncDisposable {
  endpoint: RequestListener
  /** Something waits to be passed on. */
  wake(): void
}

export function createHooks(options: HooksOptions): Hooks {
  const {store, settingsOf, onReceipt, perMinute, clock, log} = options
  const forwarder = createForwarder({
    ...store,
    deliver: deliverWebhook,
    onReceipt,
    clock,
    log,
    isQuiet: async ({team, channel}) => (await settingsOf(team, channel)).values.noise === 'quiet',
  })
  const wake = (): void => forwarder.wake()
  const rates = createHookRates(perMinute, Date.now)
  const intake = createHookIntake({...store, rates, onAdded: wake})
  return {
    endpoint: createHookEndpoint({intake, log}),
    wake,
    [Symbol.asyncDispose]: () => forwarder[Symbol.asyncDispose](),
  }
}
