import {sideBySide} from '../async/side-by-side.ts'
import type {Notification, NotificationStore} from '../store/tables/work/notifications.ts'
import {nextReminderMs} from './due-times.ts'
import {LONGEST_SLEEP_MS, type Poller, createPoller} from '../async/poller.ts'

interface RemindersOptions {
  notifications: NotificationStore
  /** The workspaces that it reminds people of. */
  teams: () => readonly string[]
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  /** The time zone of the person whom a link's call is for. */
  zoneOf: (notification: Notification) => Promise<string>
  log: {error(details: object, message: string): void}
}

const RETRY_MS = 5000

/** Reminds people of questions that nobody has answered, each time once, also across restarts. */
export function createReminders(options: RemindersOptions): Poller {
  const {notifications, teams, show, zoneOf, log} = options

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const due = await notifications.due(Date.now(), teams())
    // Those of one workspace in their order; none waits for the slow Slack of another one.
    await sideBySide(Map.groupBy(due, ({team}) => team).values(), async (some) => {
      for (const notification of some) if (!signal.aborted) await remind(notification)
    })
    if (signal.aborted) return undefined
    const atMs = await notifications.nextDueAtMs(teams())
    // What is new is due later than the next look.
    return atMs === undefined ? LONGEST_SLEEP_MS : atMs - Date.now()
  }

  /** In the table first: whoever dies behind that shows it with the next start. */
  const remind = async (notification: Notification): Promise<void> => {
    const nextAtMs = nextReminderMs(notification, Date.now(), await zoneOf(notification))
    if (await notifications.remind(notification, nextAtMs)) await show(notification.linkId)
  }

  return createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'Reminders could not be looked at'),
    retryMs: RETRY_MS,
  })
}
