import type {RequestListener} from 'node:http'
import type {SettingsOf} from '../../agents/settings.ts'
import type {ClockCheck} from '../../inbox/clock-check.ts'
import {createForwarder} from './forwarder.ts'
import {createHookIntake} from './intake.ts'
import {createHookRates} from './rates.ts'
import {deliverWebhook} from '../../platform/webhook.ts'
import type {Log} from '../../relay/ports.ts'
import type {Store} from '../../store/store.ts'
import {createHookDoor} from './door.ts'

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
  door: RequestListener
  /** Something waits to be passed on. */
  wake(): void
}

export function createHooks(options: HooksOptions): Hooks {
  const {store, settingsOf, onReceipt, perMinute, clock, log} = options
  const forwarder = createForwarder({
    ...{...store, deliver: deliverWebhook, onReceipt, clock, log},
    isQuiet: async ({team, channel}) => (await settingsOf(team, channel)).values.noise === 'quiet',
  })
  const wake = (): void => forwarder.wake()
  const rates = createHookRates(perMinute, Date.now)
  const intake = createHookIntake({...store, rates, onAdded: wake})
  return {
    ...{door: createHookDoor({intake, log}), wake},
    [Symbol.asyncDispose]: () => forwarder[Symbol.asyncDispose](),
  }
}
