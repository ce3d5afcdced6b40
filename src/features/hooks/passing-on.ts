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
  /** The workspaces whose deliveries are passed on here. */
  teams: () => readonly string[]
  /** There is something to tell in a workspace. */
  onReceipt: (team: string) => void
  /** Something waits, which whoever works for its workspace passes on. */
  onAdded: () => void
  perMinute: number
  clock: ClockCheck
  log: Log
}

/** Hooks from their door to the platform. */
interface Hooks extends AsyncDisposable {
  endpoint: RequestListener
  /** Something may wait to be passed on here. */
  wake(): void
  /** Something waits to be passed on, here or elsewhere. */
  waits(): void
}

export function createHooks(options: HooksOptions): Hooks {
  const {store, settingsOf, teams, onReceipt, onAdded, perMinute, clock, log} = options
  const forwarder = createForwarder({
    ...store,
    teams,
    deliver: deliverWebhook,
    onReceipt,
    clock,
    log,
    isQuiet: async ({team, channel}) => (await settingsOf(team, channel)).values.noise === 'quiet',
  })
  const wake = (): void => {
    forwarder.wake()
    onAdded()
  }
  const rates = createHookRates(perMinute, Date.now)
  const intake = createHookIntake({...store, rates, onAdded: wake})
  return {
    endpoint: createHookEndpoint({intake, log}),
    wake: forwarder.wake,
    waits: wake,
    [Symbol.asyncDispose]: () => forwarder[Symbol.asyncDispose](),
  }
}
