import {createKeys} from '../agents/refused-keys.ts'
import {createLateStops} from '../agents/late-stops.ts'
import {stopLate} from '../agents/stopping.ts'
import {systemClock} from '../async/clock.ts'
import {createMemory} from '../async/memory.ts'
import {knownPullRequests} from '../agents/sends/pull-requests/reading.ts'
import {createHooks} from '../features/hooks/passing-on.ts'
import {createEventIntake} from '../features/pull-requests/event-intake.ts'
import {createPullRequestKeeper} from '../features/pull-requests/keeper.ts'
import {startWaker} from '../features/watch/waker.ts'
import {createWatcher} from '../features/watch/watcher.ts'
import {createUsage} from './usage.ts'
import {isMessageBehind, threadLaneOf} from '../slack/incoming/arrival.ts'
import {createReminders} from '../inbox/reminders.ts'
import {TryLater} from '../inbox/try-later.ts'
import {createFleet} from '../relay/fleet.ts'
import {createWritingModes} from '../relay/publish/writing-modes.ts'
import {splitRule} from '../slack/posts/writer.ts'
import {namedKeys} from '../store/tables/pull-requests/naming.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {Core} from './core.ts'

/** Another instance that took something may have died before it could tell. */
const LOOK_EVERY_MS = 5000
/** Who is forgotten is looked at once more, for nothing. */
const MOST_NAMING = 10_000
/** Work with a budget is read at least so often. */
const USAGE_EVERY_MS = 30_000

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
  const {workspaces, holdings, known, inOrder, keyNews, rowNews} = core
  const {clientOf} = connections
  const everyMs = config.watchSeconds * 1000
  const workspaceAt = ({place}: Link) => workspaces.of(place.team)
  const teams = holdings.names
  const tablesOf = (team: string) => holdings.of(team)?.tables
  const botUserIn = (team: string) => known.get(team)?.identity.botUserId

  const {notices} = store
  /** The channels of one workspace, or of all, may have something to hear. */
  const wakeChannels = (team?: string): void => {
    for (const {identity, announcer, agentPoster, confessions} of workspaces.all()) {
      if (team !== undefined && team !== identity.team) continue
      confessions.wake()
      announcer.wake()
      agentPoster.wake()
    }
  }
  /** Here or elsewhere. */
  const announce = (): void => {
    wakeChannels()
    notices.tell({about: 'announcements', team: ''})
  }
  const {onCounted, onSeen, onRelayFailure, onAttempt} = core.measures
  const lateStops = opened.use(
    createLateStops({
      stop: async (linkId, show, signal) => {
        const link = await store.links.byId(linkId)
        const holding = link && holdings.of(link.place.team)
        if (holding === undefined) return
        const {tables, clientOf: own} = holding
        await stopLate({...tables, clientOf: own, show, inOrder}, linkId, signal)
      },
      log,
    }),
  )
  const usage = opened.use(
    createUsage({
      ...{tablesOf, teams, settingsOf, noiseOf, log},
      clientOf: (link) => holdings.of(link.place.team)?.clientOf(link),
      show: (linkId) => show(linkId),
      onRow: (team) => void rowNews.emit('added', team),
      everyMs: Math.min(everyMs, USAGE_EVERY_MS),
      onCounted,
    }),
  )
  /** How many pull requests each link had named when it was last looked at. */
  const namedBy = createMemory<number>({most: MOST_NAMING})
  /** Something may have been said of another one before it was named. */
  const noteNamed = (link: Link): void => {
    const {length} = namedKeys(link)
    if ((namedBy.of(link.id) ?? 0) === length) return
    namedBy.keep(link.id, length)
    pullRequests.wake()
  }
  const fleet = opened.use(
    createFleet({
      ...store,
      ...connections,
      pacer,
      obstacles,
      splitRule,
      clock: systemClock,
      log,
      deskOf: (team) => {
        const workspace = workspaces.of(team)
        const tables = tablesOf(team)
        return workspace && tables && {...tables, writer: workspace.writer}
      },
      onSeen,
      onFailure: onRelayFailure,
      onElsewhere: ({id, place}) => notices.tell({about: 'link', team: place.team, linkId: id}),
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
      move: async ({id, place, cursor}) => {
        const moved = await tablesOf(place.team)?.rooms.move(id, cursor, Date.now())
        if (moved !== undefined) await show(moved.id)
      },
      onNews: (link) => {
        workspaceAt(link)?.onNews(link)
        noteNamed(link)
      },
      onModel: (link, modelId) => workspaceAt(link)?.onModel(link, modelId),
      onActivity: (link, activity) => {
        core.traces.working(link.place, activity !== undefined)
        workspaceAt(link)?.onActivity(link, activity)
      },
      onSettled: ({place}) => core.traces.settled(place),
      hasStatusLine: (link) => workspaceAt(link)?.hasStatusLine(link) ?? false,
      noiseOf,
      budgetOf: usage.budgetOf,
      onUsage: usage.heard,
      pullRequestBook: {
        of: (link) => knownPullRequests({...store, settingsOf, botUserIn}, link),
        shown: async ({place}, news) => tablesOf(place.team)?.pullRequests.shown(news),
      },
    }),
  )
  const show = (linkId: string): Promise<void> => fleet.serve(linkId)
  const pullRequests = opened.use(
    createPullRequestKeeper({
      ...{...store, settingsOf, botUserIn, teams, tablesOf, show, log},
      onSaid: (link) => workspaceAt(link)?.onSaid(link),
      onRow: (team) => void rowNews.emit('added', team),
      atLeastEveryMs: store.ownership.isShared ? LOOK_EVERY_MS : Infinity,
    }),
  )
  const reminders = opened.use(
    createReminders({
      notifications: store.notifications,
      // Where nothing can be shown yet nobody is reminded.
      teams: () => teams().filter((team) => workspaces.of(team) !== undefined),
      show,
      log,
      zoneOf: async ({team, person}) => {
        const workspace = workspaces.of(team)
        if (workspace === undefined) throw new TryLater(undefined)
        return workspace.sureZoneOf(person)
      },
    }),
  )
  const watcher = opened.use(
    createWatcher({
      ...store,
      teams,
      notesOf: tablesOf,
      knowing,
      settingsOf,
      onDeaf: async ({team, channel, projectId, connectionId}, why) =>
        workspaces.of(team)?.endWatch({channel, projectId, by: {connectionId}}, why),
      clientOf,
      everyMs,
      onNews: announce,
      log,
    }),
  )
  opened.use(startWaker({...store, teams, clientOf, show, everyMs, log}))
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
      hasStandard: config.platform.standard === undefined ? 'no' : 'yes',
      settingsOf,
      teams,
      knowing,
      tablesOf,
      clientOf,
      follow: async (run, askedBy, signal) =>
        workspaces.of(run.team)?.followRun(run, askedBy, signal),
      takeEvent: createEventIntake({
        store,
        onNews: () => {
          pullRequests.wake()
          notices.tell({about: 'pull-requests'})
        },
      }),
      onAttempt,
      perMinute: config.hooksPerMinute,
      clock: clockCheck,
      log,
      onReceipt: (team) => workspaces.of(team)?.announcer.wake(),
      onAdded: () => notices.tell({about: 'hooks'}),
    }),
  )
  /** Something may be due, of one workspace or of all. */
  const wakeAll = (team?: string): void => {
    wakeChannels(team)
    reminders.wake()
    watcher.look()
    hooks.wake()
    pullRequests.wake()
    for (const {identity, digests} of workspaces.all()) {
      if (team === undefined || team === identity.team) digests.wake()
    }
  }
  return {wakeChannels, wakeAll, fleet, show, reminders, watcher, keys, hooks, pullRequests}
}
