import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import type {Clock} from '../../async/clock.ts'
import {backoffMs} from '../../async/pause.ts'
import {TryLater} from '../../inbox/try-later.ts'
import {type Next, makeOnce} from '../../once/make-once.ts'
import {CLOCKS_APART_MS} from '../../once/look-twice.ts'
import {createPoster} from '../../once/poster.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Rank} from '../../relay/post.ts'
import {
  APART,
  type Announcement,
  type AnnouncementState,
  DIGEST,
  HOOK_RECEIPT,
  RULE,
  WELCOME,
} from '../../store/tables/channels/announcement.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import {callSlack} from '../api/slack-client.ts'
import {type PacedCall, eachMessage, paced, pacedAgain} from '../api/paced.ts'
import type {DrawnMessage} from '../draw/blocks.ts'
import {ANNOUNCEMENT_METADATA} from '../ids.ts'
import {SlackError} from '../../once/slack-error.ts'

/** Writes into channels what belongs to no Slack thread of work: each once, whatever fails in between. */
export interface Announcer extends AsyncDisposable {
  /** Our tables say something that the channels may not show yet. */
  wake(): void
  /**
   * Brings one of them to where it should be.
   *
   * @throws {TryLater} when the signal comes first, or Slack takes too long: it is brought there all the same.
   */
  settle(announcement: Announcement, signal: AbortSignal): Promise<Settled>
}

/** Where an announcement has come to: its `ts`, or in Slack's words why it can't stand. */
type Settled = {ts: string} | {code: string}

interface AnnouncerOptions {
  announcements: AnnouncementStore
  /** How it reads, with the names of people and keys as they are now. */
  draw: (announcement: Announcement) => Promise<DrawnMessage>
  client: WebClient
  pacer: Pacer
  team: string
  botUserId: string
  clock: Clock
  /** Nobody can be told anything in a channel that watches a project. */
  onLost: (channel: string, code: string) => Promise<void>
  /** Slack does not take a digest. */
  onDigestRefused: (digest: Announcement, code: string) => Promise<void>
  /** How rarely what stands is tried again where nobody can write. */
  shut?: {baseMs: number; maxMs: number}
  log: Log
}

/** Less than a day. */
const DIGEST_WITHIN_MS = 23 * 3_600_000
const TOO_LATE = 'too_late'

/** Nobody can write there: what stands there is tried again so rarely, and for so long. */
const SHUT = {baseMs: 60_000, maxMs: 3_600_000}
const SHUT_FOR_MS = 30 * 86_400_000
/** So many at most rest at once, each of which is named when it is asked what is due. */
const MOST_RESTING = 500

/** Longer than two looks. */
const SETTLE_WITHIN_MS = 30_000

export function createAnnouncer(options: AnnouncerOptions): Announcer {
  const {announcements, client, pacer, team, botUserId, clock, draw, log} = options
  const {onLost, onDigestRefused, shut = SHUT} = options
  /** What stands in channels that are closed to us and is to say something else, by id: how often that was tried, and when it is again. */
  const resting = new Map<string, {times: number; untilMs: number}>()
  const rest = (id: string): void => {
    const times = resting.get(id)?.times ?? 0
    resting.set(id, {times: times + 1, untilMs: Date.now() + shut.baseMs + backoffMs(times, shut)})
  }

  const turn = (
    method: string,
    channel: string,
    signal: AbortSignal,
    rank: Rank = 'state',
  ): PacedCall => ({pacer, team, channel, method, rank, signal})

  const post = async (
    {id, channel, status}: Announcement,
    isPlain: boolean,
    signal: AbortSignal,
  ): Promise<void> => {
    // Nobody waits for one of these, however many are due at once.
    const rank = status === WELCOME || status === DIGEST ? 'spare' : 'state'
    await paced(turn('chat.postMessage', channel, signal, rank), async () => {
      // While it waited for its turn it may have come to tell more.
      const one = await announcements.byId(id)
      if (one === undefined) return
      const {text, blocks} = await draw(one)
      if (!(await announcements.intend(one))) return
      const {ts} = await callSlack(() =>
        client.chat.postMessage({
          channel,
          text,
          ...(!isPlain && {blocks}),
          unfurl_links: false,
          unfurl_media: false,
          ...(one.words.rule !== undefined && {thread_ts: one.words.rule.below}),
          metadata: {event_type: ANNOUNCEMENT_METADATA, event_payload: {id}},
        }),
      )
      await announcements.move(id, standing(one), ts)
    })
  }

  const edit = async (one: Announcement, signal: AbortSignal): Promise<void> => {
    const {channel, ts = ''} = one
    const {text, blocks} = await draw(one)
    await paced(
      turn('chat.update', channel, signal, isWaitedFor(one) ? 'state' : 'spare'),
      async () => {
        await callSlack(() => client.chat.update({channel, ts, text, blocks}))
        resting.delete(one.id)
        await announcements.close(one)
      },
    )
  }

  const find = async (
    {id, channel, madeAtMs, words}: Announcement,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const below = words.rule?.below
    const method = below === undefined ? 'conversations.history' : 'conversations.replies'
    const oldest = String(Math.floor((madeAtMs - CLOCKS_APART_MS) / 1000))
    const query = {channel, oldest, limit: 200, include_all_metadata: true}
    const messages = eachMessage((from) =>
      pacedAgain(turn(method, channel, signal), () =>
        callSlack(() =>
          below === undefined
            ? client.conversations.history({...query, ...from})
            : client.conversations.replies({...query, ...from, ts: below}),
        ),
      ),
    )
    for await (const message of messages) {
      const {data} = messageSchema.safeParse(message)
      if (data?.user === botUserId && data.metadata.event_payload === id) return data.ts
    }
    return undefined
  }

  const nextOf = async (id: string, signal: AbortSignal): Promise<Next<Settled>> => {
    const one = await announcements.byId(id)
    if (one === undefined || one.state === 'gone') return {settled: {code: 'gone'}}
    const {state, channel, ts = '', status, endedBy} = one
    if (state === 'placed' && endedBy === undefined) return {settled: {ts}}
    if (state === 'over' || state === 'found' || state === 'before') return {settled: {ts}}
    if (state === 'wanted' && status !== undefined && endedBy !== undefined) {
      await announcements.move(id, 'gone')
      return {settled: {code: 'over'}}
    }
    if (state === 'wanted' && status === DIGEST && Date.now() - one.madeAtMs > DIGEST_WITHIN_MS) {
      // The next one is about to come: where nothing could be posted for days they are not posted all at once.
      await onDigestRefused(one, TOO_LATE)
      await announcements.move(id, 'gone')
      return {settled: {code: TOO_LATE}}
    }
    const isWatched = status !== undefined && !APART.includes(status)
    const giveUp = async ({kind, code}: SlackError): Promise<Settled | undefined> => {
      if (state === 'placed') {
        // We may be back there, or the channel be: of one that is archived Slack says so much of each message.
        const isShut = kind === 'unusable' || code === 'is_inactive'
        const isNews = Date.now() - one.madeAtMs < SHUT_FOR_MS
        if (isShut && isNews && (resting.has(id) || resting.size < MOST_RESTING)) {
          rest(id)
          return {code}
        }
        resting.delete(id)
        await announcements.move(id, 'over')
        return undefined
      }
      // Before nobody looks at it any more: what it was to tell, the next one does.
      if (status === DIGEST) await onDigestRefused(one, code)
      await announcements.move(id, 'gone')
      if (isWatched && (kind === 'unusable' || state === 'intended')) await onLost(channel, code)
      return {code}
    }
    const drop = () => announcements.move(id, 'wanted')
    // Somebody waits for a head: they are told, and may ask again.
    const isPatient = state !== 'wanted' || status !== undefined
    switch (state) {
      case 'wanted': {
        const make = (isPlain: boolean) => post(one, isPlain, signal)
        return {make, drop, canBePlain: true, isPatient, giveUp}
      }
      case 'intended': {
        const confirm = (found: string) => announcements.move(id, standing(one), found)
        return {find: () => find(one, signal), confirm, drop, isPatient, giveUp}
      }
      case 'placed':
        return {change: () => edit(one, signal), isPatient, giveUp}
      default:
        throw new Error(`Unknown state: ${String(state satisfies never)}`)
    }
  }

  let lookedAtMs = 0
  const restingAt = (nowMs: number): string[] => {
    // Its row was taken away meanwhile.
    for (const [id, {untilMs}] of resting) if (untilMs < nowMs - shut.maxMs) resting.delete(id)
    return [...resting].flatMap(([id, {untilMs}]) => (untilMs > nowMs ? [id] : []))
  }

  const poster = createPoster<Announcement, Settled>({
    due: () => {
      lookedAtMs = Date.now()
      return announcements.due(team, lookedAtMs, restingAt(lookedAtMs))
    },
    nextDueAtMs: async () => {
      const dueMs = await announcements.nextDueAtMs(team, Date.now())
      // Also what has rested enough since it was left out.
      const still = restingAt(lookedAtMs).map((id) => resting.get(id)?.untilMs ?? Infinity)
      const nextMs = Math.min(dueMs ?? Infinity, ...still)
      return nextMs === Infinity ? undefined : nextMs
    },
    keyOf: laneOf,
    makeOnce: ({id}, signal) =>
      makeOnce(() => nextOf(id, signal), {
        clock,
        signal,
        onTrouble: (error) => log.warn({err: error, id}, 'Slack did not take an announcement'),
      }),
    onFailure: (error) => log.error({err: error}, 'An announcement failed'),
  })

  return {
    wake: poster.wake,
    settle: async (one, signal) => {
      const enough = AbortSignal.any([signal, AbortSignal.timeout(SETTLE_WITHIN_MS)])
      const settled = await poster.settle(one, enough)
      if (settled === 'late') throw new TryLater(new SlackError('retry', 'no_answer'))
      return settled
    },
    [Symbol.asyncDispose]: () => poster[Symbol.asyncDispose](),
  }
}

/** What names it; heads of new work were named as posts once. */
const markSchema = z
  .looseObject({id: z.string().optional(), link: z.string().optional()})
  .transform(({id, link}) => id ?? link)

const messageSchema = z.looseObject({
  ts: z.string(),
  user: z.string(),
  metadata: z.looseObject({event_payload: markSchema}),
})

/** What is told in a channel stands in the order in which it came; what nobody waits for stands in no one's way. */
function laneOf(one: Announcement): string {
  if (one.status === WELCOME) return one.id
  return one.state === 'placed' && !isWaitedFor(one) ? `${one.channel} over` : one.channel
}

/** What has ended by itself, or with its watch, by the hundred, takes nothing from replies that grow; whoever ended it looks at it. */
function isWaitedFor({endedBy}: Announcement): boolean {
  return endedBy === undefined || endedBy === 'hushed' || /^[UW]/.test(endedBy)
}

/** Receipts, welcomes and digests stand in their last form from the first, and so does what a rule tells without asking. */
function standing({status, words}: Announcement): AnnouncementState {
  const isTold = status === RULE && words.rule?.says !== 'ask'
  const isLast = [HOOK_RECEIPT, WELCOME, DIGEST].includes(status ?? '')
  return isLast || isTold ? 'over' : 'placed'
}
