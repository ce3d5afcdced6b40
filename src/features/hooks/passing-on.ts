import type {RequestListener} from 'node:http'
import type {Knowing} from '../../agents/who-may-know.ts'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import type {ClockCheck} from '../../inbox/clock-check.ts'
import {createForwarder} from './forwarder.ts'
import {createHookIntake, createHookRates} from './hook-intake.ts'
import {deliverWebhook} from '../../platform/endpoints/webhook.ts'
import type {Log} from '../../relay/ports.ts'
import type {Store} from '../../store/store.ts'
import type {Hook} from '../../store/tables/hooks/hooks.ts'
import {createRunFinder} from './runs/run-finder.ts'
import {createRunSeeker} from './runs/run-seeker.ts'
import {createTimetableKeeper} from './runs/timetable-keeper.ts'
import {createHookEndpoint} from './endpoint.ts'

interface HooksOptions {
  store: Store
  settingsOf: SettingsOf
  knowing: Pick<Knowing, 'isClosed'>
  /** Whether the environment gives a key. */
  hasStandard: 'yes' | 'no'
  /** The workspaces whose deliveries are passed on here. */
  teams: () => readonly string[]
  /** There is something to tell in a workspace. */
  onReceipt: (team: string) => void
  /** What is written of a workspace; `undefined` where somebody else works for it by now. */
  tablesOf: (team: string) => Pick<Store, 'runs' | 'timetables'> | undefined
  clientOf: Parameters<typeof createRunFinder>[0]['clientOf']
  follow: Parameters<typeof createRunSeeker>[0]['follow']
  /** What came of an attempt to pass something on. */
  onAttempt: Parameters<typeof createForwarder>[0]['onAttempt']
  /** Something waits, which whoever works for its workspace passes on. */
  onAdded: () => void
  /** What a code host says of pull requests. */
  takeEvent: Parameters<typeof createHookIntake>[0]['takeEvent']
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
  const {store, settingsOf, knowing, teams, tablesOf, clientOf} = options
  const {onReceipt, onAdded, takeEvent, perMinute, clock, log} = options
  const finder = createRunFinder({...store, clientOf})
  const seeker = createRunSeeker({
    ...store,
    finder,
    teams,
    runsOf: (team) => tablesOf(team)?.runs,
    follow: options.follow,
    onFound: onReceipt,
    clock,
    log,
  })
  const keeper = createTimetableKeeper({
    ...store,
    finder,
    teams,
    timetablesOf: (team) => tablesOf(team)?.timetables,
    clientOf,
    isClosed: (place) => knowing.isClosed(place),
    onFound: seeker.wake,
    clock,
    nowMs: clock.platformMs,
    log,
  })
  const ifKept = async (key: Hook['madeWith']): Promise<Hook['madeWith']> => {
    if (key?.connectionId === undefined) return options.hasStandard === 'yes' ? key : undefined
    const found = await store.connections.byId(key.connectionId)
    return found?.state === 'good' ? key : undefined
  }
  const forwarder = createForwarder({
    ...store,
    teams,
    deliver: deliverWebhook,
    onReceipt,
    onAttempt: options.onAttempt,
    onBegun: seeker.wake,
    placeOf: async ({team, channel, projectId, isNew, madeWith}) => {
      const {isConnected, values} = await settingsOf(team, channel)
      const isPrivate = await knowing.isClosed({team, channel})
      if (!isConnected && !isPrivate) return undefined
      const {connectionId} = (await ifKept(madeWith)) ?? values
      const likely = isPrivate && isNew ? undefined : values.projectId
      return {projectId: projectId ?? likely, connectionId, isPrivate}
    },
    clock,
    log,
    isQuiet: async ({team, channel}) => (await settingsOf(team, channel)).values.noise === 'quiet',
  })
  const wake = (): void => {
    forwarder.wake()
    seeker.wake()
    keeper.wake()
  }
  const waits = (): void => {
    wake()
    onAdded()
  }
  const rates = createHookRates(perMinute, Date.now)
  const intake = createHookIntake({...store, rates, takeEvent, onAdded: waits})
  return {
    endpoint: createHookEndpoint({intake, log}),
    wake,
    waits,
    [Symbol.asyncDispose]: async () => {
      await forwarder[Symbol.asyncDispose]()
      await keeper[Symbol.asyncDispose]()
      await seeker[Symbol.asyncDispose]()
    },
  }
}
