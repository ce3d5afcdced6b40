import type {Ping, PingStore} from '../store/pings.ts'
import {nextReminderMs} from './due-times.ts'
import {LONGEST_SLEEP_MS, type Lookout, createLookout} from '../async/lookout.ts'

interface RemindersOptions {
  pings: PingStore
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  /** The time zone of the person whom a link's call is for. */
  zoneOf: (ping: Ping) => Promise<string>
  log: {error(details: object, message: string): void}
}

const RETRY_MS = 5000

/** Reminds people of questions that nobody has answered, each time once, also across restarts. */
export function createReminders(options: RemindersOptions): Lookout {
  const {pings, show, zoneOf, log} = options

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    for (const ping of await pings.due(Date.now())) {
      if (signal.aborted) return undefined
      await remind(ping)
    }
    const atMs = await pings.nextDueAtMs()
    // What is new is due later than the next look.
    return atMs === undefined ? LONGEST_SLEEP_MS : atMs - Date.now()
  }

  /** In the table first: whoever dies behind that shows it with the next start. */
  const remind = async (ping: Ping): Promise<void> => {
    const nextAtMs = nextReminderMs(ping, Date.now(), await zoneOf(ping))
    if (await pings.remind(ping, nextAtMs)) await show(ping.linkId)
  }

  return createLookout({
    look,
    onFailure: (error) => log.error({err: error}, 'Reminders could not be looked at'),
    retryMs: RETRY_MS,
  })
}
