import type {Ping, PingStore} from '../store/pings.ts'
import {nextReminderMs} from './due-times.ts'

/** Reminds people of questions that nobody has answered, each time once, also across restarts. */
interface Reminders extends AsyncDisposable {
  /** Something may be due sooner than was thought. */
  wake(): void
}

interface RemindersOptions {
  pings: PingStore
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  /** The time zone of the person whom a link's call is for. */
  zoneOf: (ping: Ping) => Promise<string>
  nowMs?: () => number
  log: {error(details: object, message: string): void}
}

/** Looked at least so often: somebody may set the clock. What is new is due later than that. */
const LONGEST_SLEEP_MS = 60_000
const RETRY_MS = 5000

export function createReminders(options: RemindersOptions): Reminders {
  const {pings, show, zoneOf, nowMs = Date.now, log} = options
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isStale = false
  let isStopped = false

  const wake = (): void => {
    isStale = true
    if (looking !== undefined || isStopped) return
    looking = look().finally(() => {
      looking = undefined
      if (isStale) wake()
    })
  }

  const look = async (): Promise<void> => {
    isStale = false
    try {
      for (const ping of await pings.due(nowMs())) {
        if (isStopped) return
        await remind(ping)
      }
      const atMs = await pings.nextDueAtMs()
      sleep(atMs === undefined ? LONGEST_SLEEP_MS : atMs - nowMs())
    } catch (error) {
      log.error({err: error}, 'Reminders could not be looked at')
      sleep(RETRY_MS)
    }
  }

  /** In the table first: whoever dies behind that shows it with the next start. */
  const remind = async (ping: Ping): Promise<void> => {
    const nextAtMs = nextReminderMs(ping, nowMs(), await zoneOf(ping))
    if (await pings.remind(ping, nextAtMs)) await show(ping.linkId)
  }

  const sleep = (ms: number): void => {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(wake, Math.min(Math.max(ms, 1), LONGEST_SLEEP_MS)).unref()
  }

  return {
    wake,
    [Symbol.asyncDispose]: async () => {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
