import type {Log} from '../relay/ports.ts'
import type {Vitals} from '../slack/doctor/doctor.ts'
import {BARRED} from '../once/slack-error.ts'
import type {Core} from './core.ts'
import type {Services} from './services.ts'

export type Shared = ReturnType<typeof createShared>

/** What the workspaces of this process share. */
export function createShared(
  core: Core,
  {keys, show, reminders, watcher, hooks, pullRequests}: Services,
) {
  const {config, connections, slackAccess} = core
  const {store, knowing, pacer, settingsOf, noiseOf, inOrder, leaks, clockCheck} = core
  const log: Log = core.log
  const vitals: Vitals = core.vitals
  return {
    store,
    knowing,
    pacer,
    settingsOf,
    noiseOf,
    inOrder,
    leaks,
    clockCheck,
    log,
    ...slackAccess,
    ...connections,
    vitals,
    keys,
    /** Shows what our tables now say of this link. */
    show,
    /** Whether the environment gives a key. */
    hasStandard: config.platform.standard === undefined ? ('no' as const) : ('yes' as const),
    webUrl: config.platform.webUrl,
    /** Where the agent platform is: nothing is passed on to addresses elsewhere. */
    platformOrigin: new URL(config.platform.baseUrl).origin,
    /** Put on a message, it offers to start work from it. */
    startEmoji: config.startEmoji,
    /** Slack user ids of those who may administer besides admins and owners. */
    admins: config.admins,
    /** Multiplies Slack's documented rates. */
    rateScale: config.slack.rateScale,
    /** Where senders reach our own HTTP server, if the operator said so. */
    publicUrl: config.http.publicUrl,
    proof: core.proof,
    /** Where the session token lies on the agents' machines. */
    tokenFile: config.platform.tokenFile,
    fileLimits: config.files,
    /** An admin lets us go on where we were barred. */
    onAllowed: (place: {team: string; channel: string}) => core.obstacles.retry(place, [BARRED]),
    onSnoozed: () => reminders.wake(),
    onWatched: () => {
      watcher.look()
      store.notices.tell({about: 'watches'})
    },
    /** Somebody has changed the rules of a channel. */
    onRules: core.ruledApps.changed,
    /** A row of this workspace waits in the inbox that nobody sent. */
    onRow: (team: string) => void core.rowNews.emit('added', team),
    /** Something waits to be passed on to an automation. */
    onDelivery: () => hooks.waits(),
    /** What a hook has said counts no more. */
    onUnsaid: () => pullRequests.wake(),
  }
}
