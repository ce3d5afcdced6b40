import type {WebClient} from '@slack/web-api'
import {type Poller, createPoller} from '../../async/poller.ts'
import {dueDate} from '../../inbox/digest-dates.ts'
import {TryLater} from '../../inbox/try-later.ts'
import {daysFrom, shownAt} from '../../inbox/zones.ts'
import {SlackError, mayPass} from '../../once/slack-error.ts'
import {inParts} from '../../store/database/in-parts.ts'
import type {Digest, DigestStore, Telling, Told} from '../../store/tables/channels/digests.ts'
import type {Access} from '../../slack/access.ts'
import {callSlack} from '../../slack/api/slack-client.ts'
import type {People} from '../../slack/api/people.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import type {DigestReading} from './reading.ts'
import {isQuiet} from './views/digest.ts'

interface TellerOptions extends Pick<Tools, 'log' | 'nowMs' | 'team'> {
  digests: DigestStore
  reading: DigestReading
  access: Pick<Access, 'maySurelyKnow'>
  people: Pick<People, 'roleOf' | 'zoneOf'>
  client: WebClient
  announcer: {wake: () => void}
}

/** What becomes of a digest that is due. */
type Found = Omit<Telling, 'date'> | 'not now'

/** Clocks show full hours at one of these, wherever they are, and jump at one. */
const QUARTER_MS = 900_000
const RETRY_MS = 60_000
/** So many are read at once. */
const AT_ONCE = 8
/** The days of all calendars at one instant, and the one before: of a week's digest that is late. */
const DAYS_BACK = 3
const FRESH_MS = 300_000

/**
 * Tells the digests of a workspace when they are due: each by one transaction with the note that its day is over, from which
 * on it is posted as every announcement is, once, whatever fails in between.
 */
export function startDigests(options: TellerOptions): Poller {
  const poller = createPoller({
    look: createDigestLook(options),
    onFailure: (error) => options.log.error({err: error}, 'Digests could not be looked for'),
    retryMs: RETRY_MS,
  })
  poller.wake()
  return poller
}

/** Tells what is due; after how many milliseconds more may be, or `undefined` while nobody is to be told anything. */
export function createDigestLook(
  options: TellerOptions,
): (signal: AbortSignal) => Promise<number | undefined> {
  const {digests, reading, access, people, client, announcer, team, nowMs, log} = options

  const ofChannel = async (digest: Digest, date: string, from: Told): Promise<Found> => {
    const {target: channel, schedule} = digest
    const untilMs = nowMs()
    const {micros, dayMicros} = await reading.spent(channel, from, untilMs)
    const words = {date, sinceMs: from.untilMs, untilMs, micros}
    const content = await reading.channel(channel, words, micros)
    // Once a week it is worth a line that nothing happened.
    const isTold = schedule.every === 'week' || !isQuiet(content)
    return {until: {untilMs, dayMicros}, announcement: isTold ? {channel, words} : undefined}
  }

  /** Guests, and whoever has left, hear nothing. @throws {TryLater} */
  const ofPerson = async (digest: Digest, date: string, from: Told): Promise<Found> => {
    const {target: user} = digest
    const untilMs = nowMs()
    const until = {untilMs, dayMicros: 0}
    const nothing = {until, announcement: undefined}
    const role = await people.roleOf({user, userTeam: undefined}, FRESH_MS)
    if (role !== 'admin' && role !== 'member') return nothing
    const zone = await people.zoneOf(user)
    if (zone !== digest.schedule.zone) {
      // They have travelled: there it may be due at another time.
      await digests.move(digest, zone)
      return 'not now'
    }
    const words = {date, sinceMs: from.untilMs, untilMs}
    if ((await reading.person(user, words, access.maySurelyKnow)).length === 0) return nothing
    const channel = await directOf(user)
    if (channel instanceof SlackError) return {...nothing, code: channel.code}
    return {until, announcement: {channel, words}}
  }

  /** @throws {TryLater} */
  const directOf = async (user: string): Promise<string | SlackError> => {
    try {
      const {channel} = await callSlack(() => client.conversations.open({users: user}))
      return channel?.id ?? new SlackError('unusable', 'no_channel')
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (mayPass(error)) throw new TryLater(error)
      return error
    }
  }

  /** False: it may be due at another time. */
  const tell = async (digest: Digest, date: string): Promise<boolean> => {
    try {
      const from = await digests.lastTold(digest, nowMs())
      const of = isPerson(digest.target) ? ofPerson : ofChannel
      const found = await of(digest, date, from)
      if (found === 'not now') return false
      const isNew = await digests.tell(digest, {date, ...found}, nowMs())
      if (isNew && found.announcement !== undefined) announcer.wake()
    } catch (error) {
      // Its day is not over: it is looked at again before long.
      const {target} = digest
      if (!(error instanceof TryLater)) {
        log.error({err: error, target, date}, 'A digest could not be made')
      }
    }
    return true
  }

  return async (signal) => {
    const all = await digests.ofTeam(team)
    if (all.length === 0) return undefined
    const atMs = nowMs()
    const first = daysFrom(shownAt(atMs, 'UTC').date, -DAYS_BACK)
    const over = await digests.daysSince(team, first)
    const due = all.flatMap((digest) => {
      const isOver = (date: string): boolean => over.get(digest.target)?.has(date) === true
      const date = dueDate(digest.schedule, isOver, atMs)
      return date === undefined ? [] : [{digest, date}]
    })
    let isSettled = true
    for (const some of inParts(due, AT_ONCE)) {
      if (signal.aborted) break
      const settled = await Promise.all(some.map(({digest, date}) => tell(digest, date)))
      isSettled &&= settled.every(Boolean)
    }
    return isSettled ? QUARTER_MS - (nowMs() % QUARTER_MS) : 1
  }
}

/** Slack's ids of people begin with one of two letters, and none of a place does. */
function isPerson(target: string): boolean {
  return /^[UW]/.test(target)
}
