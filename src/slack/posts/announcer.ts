import {TryLater} from '../../inbox/try-later.ts'
import {aborted, pause} from '../../async/pause.ts'
import type {Announcement} from '../../store/announcements.ts'
import {SlackError} from '../api/calls.ts'
import {
  type AnnouncementSettlingOptions,
  type Settled,
  createAnnouncementSettling,
} from './announcement-settling.ts'
import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {createBackground} from '../../async/background.ts'

/** Writes into channels what belongs to no Slack thread: each once, whatever fails in between. */
export interface Announcer extends AsyncDisposable {
  /** Our tables say something that the channels may not show yet. */
  wake(): void
  /**
   * Brings one of them to where it should be; its `ts`, or in Slack's words why it can't stand.
   *
   * @throws {TryLater} when the signal comes first, or Slack takes too long: it is brought there all the same.
   */
  settle(announcement: Announcement, signal: AbortSignal): Promise<Settled>
}

const TROUBLE_MS = 30_000
/** Longer than two looks. */
const SETTLE_WITHIN_MS = 30_000

/** A timer of Node's must not be longer than 24 days, and a clock may be set. */
const MAX_SLEEP_MS = 60_000

export function createAnnouncer(options: AnnouncementSettlingOptions): Announcer {
  const {announcements, team, log} = options
  const stop = new AbortController()
  /** What is being brought to Slack, by id; those of a channel one after the other. */
  const underway = new Map<string, Promise<Settled>>()
  const inTurn = createKeyedQueue()
  const settleOne = createAnnouncementSettling(options, stop.signal)
  /** Something happened to them while they were on their way. */
  const again = new Set<string>()
  const background = createBackground(async (error) => {
    if (stop.signal.aborted) return
    log.error({err: error}, 'An announcement failed')
    await pause(TROUBLE_MS, stop.signal)
    wake()
  })
  let timer: NodeJS.Timeout | undefined

  const start = ({id, channel}: Announcement): Promise<Settled> => {
    const known = underway.get(id)
    if (known !== undefined) return known
    const end = (): void => {
      underway.delete(id)
      if (again.delete(id)) wake()
    }
    const work = inTurn(channel, () => settleOne(id)).finally(end)
    underway.set(id, work)
    return work
  }

  const settle: Announcer['settle'] = (one, signal) => {
    const enough = AbortSignal.any([signal, AbortSignal.timeout(SETTLE_WITHIN_MS)])
    const late = aborted(enough).then(() => {
      throw new TryLater(new SlackError('no_answer', 'retry', 0, undefined))
    })
    return Promise.race([start(one), late])
  }

  const look = async (): Promise<void> => {
    const due = await announcements.due(team, Date.now())
    const fresh: Promise<unknown>[] = []
    for (const one of due) {
      if (underway.has(one.id)) again.add(one.id)
      else fresh.push(start(one))
    }
    await wakeForHeld()
    await Promise.all(fresh)
    // There may be more than were read in one go.
    if (fresh.length > 0) wake()
  }

  const wakeForHeld = async (): Promise<void> => {
    const nextMs = await announcements.nextDueAtMs(team, Date.now())
    clearTimeout(timer)
    if (nextMs === undefined || stop.signal.aborted) return
    timer = setTimeout(wake, Math.min(Math.max(nextMs - Date.now(), 1), MAX_SLEEP_MS)).unref()
  }

  const wake = (): void => {
    if (!stop.signal.aborted) background.keep(look())
  }

  return {
    wake,
    settle,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      clearTimeout(timer)
      await background.ended()
      await Promise.allSettled(underway.values())
    },
  }
}
