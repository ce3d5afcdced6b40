import {TryLater} from '../../inbox/try-later.ts'
import {aborted, pause} from '../../async/pause.ts'
import type {Announcement} from '../../store/announcements.ts'
import {SlackError} from '../api/calls.ts'
import {
  type AnnouncementSettlingOptions,
  type Settled,
  createAnnouncementSettling,
} from './announcement-settling.ts'

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
  /** What is being brought to Slack, by id, and the last of each channel: one after the other. */
  const underway = new Map<string, Promise<Settled>>()
  const lanes = new Map<string, Promise<unknown>>()
  const settleOne = createAnnouncementSettling(options, stop.signal)
  /** Something happened to them while they were on their way. */
  const again = new Set<string>()
  const background = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  const start = ({id, channel}: Announcement): Promise<Settled> => {
    const known = underway.get(id)
    if (known !== undefined) return known
    const before = lanes.get(channel) ?? Promise.resolve()
    const end = (): void => {
      underway.delete(id)
      if (again.delete(id)) wake()
    }
    const work = before.then(() => settleOne(id)).finally(end)
    const lane = work.then(doNothing, doNothing).then(() => {
      if (lanes.get(channel) === lane) lanes.delete(channel)
    })
    underway.set(id, work)
    lanes.set(channel, lane)
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
    if (stop.signal.aborted) return
    const work = look()
      .catch(async (error: unknown) => {
        if (stop.signal.aborted) return
        log.error({err: error}, 'An announcement failed')
        await pause(TROUBLE_MS, stop.signal)
        wake()
      })
      .finally(() => background.delete(work))
    background.add(work)
  }

  return {
    wake,
    settle,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      clearTimeout(timer)
      while (background.size > 0) await Promise.all(background)
      await Promise.all(lanes.values())
    },
  }
}

/** What failed is told to whoever asked for it. */
function doNothing(): void {}
