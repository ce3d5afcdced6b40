import {createKeys} from '../agents/refused-keys.ts'
import {createLateStops} from '../agents/late-stops.ts'
import {stopLate} from '../agents/stopping.ts'
import {systemClock} from '../async/clock.ts'
import {createHooks} from '../features/hooks/passing-on.ts'
import {startWaker} from '../features/watch/waker.ts'
import {createWatcher} from '../features/watch/watcher.ts'
import {isMessageBehind, threadLaneOf} from '../slack/incoming/arrival.ts'
import {createReminders} from '../inbox/reminders.ts'
import {createFleet} from '../relay/fleet.ts'
import {createWritingModes} from '../relay/publish/writing-modes.ts'
import {splitRule} from '../slack/posts/writer.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {Core} from './core.ts'

export type Services = ReturnType<typeof startServices>

/** The second stage: what works by itself, for all workspaces. Nothing of it begins before there is a workspace. */
export function startServices(core: Core, opened: AsyncDisposableStack) {
  const {
    config,
    log,
    store,
    clockCheck,
    pacer,
    obstacles,
    connections,
    settingsOf,
    noiseOf,
    knowing,
  } = core
  const {workspaces, inOrder, keyNews} = core
  const {clientOf} = connections
  const everyMs = config.watchSeconds * 1000
  const workspaceAt = ({place}: Link) => workspaces.of(place.team)

  /** The channels may have something to hear. */
  const announce = (): void => {
    for (const {announcer, agentPoster} of workspaces.all()) {
      announcer.wake()
      agentPoster.wake()
    }
  }
  const lateStops = opened.use(
    createLateStops({
      stop: (linkId, show, signal) => stopLate({...store, clientOf, show, inOrder}, linkId, signal),
      log,
    }),
  )
  const fleet = opened.use(
    createFleet({
      ...store,
      ...connections,
      pacer,
      obstacles,
      splitRule,
      clock: systemClock,
      log,
      writerOf: (team) => workspaces.of(team)?.writer,
      modes: createWritingModes({choice: config.slack.writer, clock: systemClock}),
      tellBlocked: (link, obstacle) => workspaceAt(link)?.tellBlocked(link, obstacle),
      isPrivate: (place) => knowing.isPrivate(place),
      isSpokenBehind: async ({slackThread, ...place}, ts) => {
        const lane = threadLaneOf({...place, ts: slackThread, threadTs: undefined})
        return (await store.inbox.newestIn(lane)).some((key) => isMessageBehind(key, ts))
      },
      isMisplaced: ({place}, thread) => knowing.isMisplaced(place, thread),
      tellArrived: (link, send) => workspaceAt(link)?.tellArrived(link, send),
      onLate: ({id}, show) => lateStops.look(id, show),
      onNotified: (link, notification) => workspaceAt(link)?.tellNotified(link, notification),
      onNews: (link) => workspaceAt(link)?.onNews(link),
      onActivity: (link, activity) => workspaceAt(link)?.onActivity(link, activity),
      hasStatusLine: (link) => workspaceAt(link)?.hasStatusLine(link) ?? false,
      noiseOf,
    }),
  )
  const show = (linkId: string): Promise<void> => fleet.serve(linkId)
  const reminders = opened.use(
    createReminders({
      notifications: store.notifications,
      show,
      log,
      zoneOf: async ({linkId, person}) => {
        const link = await store.links.byId(linkId)
        return (link && (await workspaceAt(link)?.zoneOf(person))) ?? 'UTC'
      },
    }),
  )
  const watcher = opened.use(
    createWatcher({...store, knowing, clientOf, everyMs, onNews: announce, log}),
  )
  opened.use(startWaker({...store, clientOf, show, everyMs, log}))
  const keys = opened.use(
    createKeys({
      ...store,
      show,
      log,
      onNews: () => {
        announce()
        watcher.look()
      },
    }),
  )
  keyNews.on('verdict', (of, verdict) => keys.heard(of, verdict))
  const hooks = opened.use(
    createHooks({
      store,
      settingsOf,
      perMinute: config.hooksPerMinute,
      clock: clockCheck,
      log,
      onReceipt: (team) => workspaces.of(team)?.announcer.wake(),
    }),
  )
  return {announce, fleet, show, reminders, watcher, keys, hooks}
}
