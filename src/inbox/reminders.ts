import {sideBySide} from '../async/side-by-side.ts'
import type {Notification, NotificationStore} from '../store/tables/work/notifications.ts'
import {isMorningNext, nextReminderMs} from './due-times.ts'
import {LONGEST_SLEEP_MS, type Poller, createPoller} from '../async/poller.ts'
import {TryLater} from './try-later.ts'

type Reminded = Notification & {team: string}

interface RemindersOptions {
  notifications: NotificationStore
  /** The workspaces that it reminds people of. */
  teams: () => readonly string[]
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  /**
   * The time zone of the person whom a link's call is for.
   *
   * @throws {TryLater} when nobody says it now.
   */
  zoneOf: (notification: Reminded) => Promise<string>
  log: {error(details: object, message: string): void}
}

const RETRY_MS = 5000
/** What Slack does not say now. */
const AGAIN_MS = 60_000
/** Slack that takes so long to say nothing does not answer at all. */
const HANGS_MS = 2000

/** Reminds people of questions that nobody has answered, each time once, also across restarts. */
export function createReminders(options: RemindersOptions): Poller {
  const {notifications, show, zoneOf, log} = options
  /** Workspaces whose Slack did not say where somebody is: what waits there takes no place of what is due elsewhere. */
  const restsUntilMs = new Map<string, number>()
  const teams = (): string[] =>
    options.teams().filter((team) => performance.now() >= (restsUntilMs.get(team) ?? 0))

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const due = await notifications.due(Date.now(), teams())
    // Those of one workspace in their order; none waits for the slow Slack of another one.
    await sideBySide(Map.groupBy(due, ({team}) => team).values(), async (some) => {
      let isHanging = false
      for (const notification of some) {
        if (signal.aborted) return
        // A Slack that hangs with one person hangs with the next, and all others wait for the end of this look.
        if (isHanging && isMorningNext(notification)) continue
        const sinceMs = performance.now()
        const isSilent = !(await remindOrRest(notification))
        isHanging ||= isSilent && performance.now() - sinceMs > HANGS_MS
      }
    })
    if (signal.aborted) return undefined
    const atMs = await notifications.nextDueAtMs(teams())
    // What is new is due later than the next look.
    return atMs === undefined ? LONGEST_SLEEP_MS : atMs - Date.now()
  }

  /** In the table first: whoever dies behind that shows it with the next start. */
  const remind = async (notification: Reminded): Promise<void> => {
    const zone = isMorningNext(notification) ? await zoneOf(notification) : 'UTC'
    const nextAtMs = nextReminderMs(notification, Date.now(), zone)
    if (await notifications.remind(notification, nextAtMs)) await show(notification.linkId)
  }

  /** False: its workspace rests. */
  const remindOrRest = async (notification: Reminded): Promise<boolean> => {
    try {
      await remind(notification)
      return true
    } catch (error) {
      if (!(error instanceof TryLater)) throw error
      const forMs = Math.max(AGAIN_MS, error.afterMs)
      restsUntilMs.set(notification.team, performance.now() + forMs)
      return false
    }
  }

  return createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'Reminders could not be looked at'),
    retryMs: RETRY_MS,
  })
}
