import type {RequestListener} from 'node:http'
import type {Knowing} from '../../agents/who-may-know.ts'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import type {ClockCheck} from '../../inbox/clock-check.ts'
import {createForwarder} from './forwarder.ts'
import {createHookIntake, createHookRates} from './hook-intake.ts'
import {deliverWebhook} from '../../platform/endpoints/webhook.ts'
import type {Log} from '../../relay/ports.ts'
import type {Store} from '../../store/store.ts'
import {createRunSeeker} from './runs/run-seeker.ts'
import {createHookEndpoint} from './endpoint.ts'

interface HooksOptions {
  store: Store
  settingsOf: SettingsOf
  knowing: Pick<Knowing, 'isPrivate'>
  /** The workspaces whose deliveries are passed on here. */
  teams: () => readonly string[]
  /** There is something to tell in a workspace. */
  onReceipt: (team: string) => void
  /** What is written of a workspace; `undefined` where somebody else works for it by now. */
  tablesOf: (team: string) => Pick<Store, 'runs'> | undefined
  clientOf: Parameters<typeof createRunSeeker>[0]['clientOf']
  follow: Parameters<typeof createRunSeeker>[0]['follow']
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
  const {store, settingsOf, knowing, teams, onReceipt, onAdded, perMinute, clock, log} = options
  const seeker = createRunSeeker({
    ...store,
    teams,
    runsOf: (team) => options.tablesOf(team)?.runs,
    clientOf: options.clientOf,
    follow: options.follow,
    onFound: onReceipt,
    log,
  })
  const forwarder = createForwarder({
    ...store,
    teams,
    deliver: deliverWebhook,
    onReceipt,
    onBegun: seeker.wake,
    placeOf: async ({team, channel}) => {
      const {isConnected, values} = await settingsOf(team, channel)
      if (!isConnected) return undefined
      const {projectId, connectionId} = values
      return {projectId, connectionId, isPrivate: await knowing.isPrivate({team, channel})}
    },
    clock,
    log,
    isQuiet: async ({team, channel}) => (await settingsOf(team, channel)).values.noise === 'quiet',
  })
  const wake = (): void => {
    forwarder.wake()
    seeker.wake()
    onAdded()
  }
  const rates = createHookRates(perMinute, Date.now)
  const intake = createHookIntake({...store, rates, onAdded: wake})
  return {
    endpoint: createHookEndpoint({intake, log}),
    wake: () => {
      forwarder.wake()
      seeker.wake()
    },
    waits: wake,
    [Symbol.asyncDispose]: async () => {
      await forwarder[Symbol.asyncDispose]()
      await seeker[Symbol.asyncDispose]()
    },
  }
}
