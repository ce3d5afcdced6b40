import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {backoffMs, isAborted} from '../../async/pause.ts'
import {type Clock, waitOn} from '../../async/clock.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import {ANSWERED, type Looks, UNANSWERED, lookTwice} from '../../relay/publish/absence.ts'
import {
  APART,
  type Announcement,
  type AnnouncementState,
  type AnnouncementStore,
  HOOK_RECEIPT,
} from '../../store/announcements.ts'
import type {WatchStore} from '../../store/watches.ts'
import {SlackError, callSlack} from '../api/calls.ts'
import {eachMessage} from '../api/message-pages.ts'
import {type Turn, inTurn, inTurns} from '../api/turns.ts'
import {ANNOUNCEMENT_METADATA} from '../ids.ts'
import type {Replies} from '../tell/replies.ts'
import {texts} from '../texts.ts'
import type {DrawnMessage} from '../draw/message.ts'

export interface AnnouncementSettlingOptions {
  announcements: AnnouncementStore
  /** How it reads, with the names of people and keys as they are now. */
  draw: (announcement: Announcement) => Promise<DrawnMessage>
  watches: WatchStore
  client: WebClient
  pacer: Pacer
  replies: Replies
  team: string
  botUserId: string
  clock: Clock
  /** A channel that takes nothing any more is not watched for. */
  onUnwatched: () => void
  log: Log
}

const TROUBLE = {baseMs: 500, maxMs: 30_000}
/** What only an operator can mend. */
const STANDSTILL_MS = 60_000
/** Slack's clock and ours need not agree. */
const MARGIN_MS = 120_000

/** Where an announcement has come to: its `ts`, or in Slack's words why it can't stand. */
export type Settled = {ts: string} | {code: string}

/** One of them, step by step: what is about to happen is noted first, and what Slack said after it. */
export function createAnnouncementSettling(
  options: AnnouncementSettlingOptions,
  stop: AbortSignal,
): (id: string) => Promise<Settled> {
  const {announcements, watches, client, pacer, replies, team, botUserId, clock, draw} = options

  const turn = (method: string, channel: string): Turn => ({
    ...{pacer, team, channel, method, rank: 'state', signal: stop},
  })

  /** Waits as Slack says. False: it won't take it, however often it is asked. */
  const sitOut = async (error: SlackError, one: Announcement, failures: number) => {
    options.log.warn({err: error, state: one.state}, 'Slack did not take an announcement')
    switch (error.kind) {
      case 'wait':
        // Its next turn comes when Slack allows.
        return true
      case 'retry':
        // What may have been posted is looked for first, at its own pace.
        if (one.state === 'wanted' && error.isAnswered) return true
        await waitOn(clock, backoffMs(failures, TROUBLE), stop)
        return true
      case 'dead':
      case 'mistake':
        // Somebody waits for a head: they are told, and may ask again.
        if (one.state === 'wanted' && one.status === undefined) return false
        await waitOn(clock, STANDSTILL_MS, stop)
        return true
      case 'refused':
      case 'gone':
      case 'stuck':
      case 'streaming':
      case 'ended':
      case 'closed':
      case 'unusable':
        return false
      default:
        throw new Error(`Unknown refusal: ${String(error.kind satisfies never)}`)
    }
  }

  const post = async ({id, channel}: Announcement, isPlain: boolean): Promise<void> => {
    await inTurn(turn('chat.postMessage', channel), async () => {
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
          metadata: {event_type: ANNOUNCEMENT_METADATA, event_payload: {id}},
        }),
      )
      await announcements.move(id, standing(one), ts)
    })
  }

  const edit = async (one: Announcement): Promise<void> => {
    const {channel, ts = ''} = one
    const {text, blocks} = await draw(one)
    await inTurn(turn('chat.update', channel), async () => {
      await callSlack(() => client.chat.update({channel, ts, text, blocks}))
      await announcements.close(one)
    })
  }

  const find = async ({id, channel, madeAtMs}: Announcement): Promise<string | undefined> => {
    const oldest = String(Math.floor((madeAtMs - MARGIN_MS) / 1000))
    const query = {channel, oldest, limit: 200, include_all_metadata: true}
    const messages = eachMessage((from) =>
      inTurns(turn('conversations.history', channel), () =>
        callSlack(() => client.conversations.history({...query, ...from})),
      ),
    )
    for await (const message of messages) {
      const {data} = messageSchema.safeParse(message)
      if (data?.user === botUserId && data.metadata.event_payload.id === id) return data.ts
    }
    return undefined
  }

  /** An intent from before a crash, or that nobody confirmed: it stands, or it never will. */
  const lookFor = async (one: Announcement, looks: Looks): Promise<void> => {
    const ts = await lookTwice(looks, () => find(one), {clock, signal: stop})
    if (isAborted(stop)) return
    if (ts === undefined) await announcements.move(one.id, 'wanted')
    else await announcements.move(one.id, standing(one), ts)
  }

  /** Nobody can be told anything there: whoever asked for it hears why. */
  const giveUp = async (
    {id, channel, status, state}: Announcement,
    code: string,
  ): Promise<void> => {
    await announcements.move(id, state === 'placed' ? 'over' : 'gone')
    if (state === 'placed' || status === undefined || APART.includes(status)) return
    const removed = await watches.remove({team, channel})
    if (removed.length > 0) options.onUnwatched()
    for (const madeBy of new Set(removed.map((watch) => watch.madeBy))) {
      replies.tell(madeBy, {text: texts.watch.lost(`<#${channel}>`, code)})
    }
  }

  return async (id) => {
    let isPlain = false
    let looks = UNANSWERED
    for (let failures = 1; !isAborted(stop); failures += 1) {
      const one = await announcements.byId(id)
      if (one === undefined || one.state === 'gone') return {code: 'gone'}
      const {state, ts = '', status, endedBy} = one
      if (state === 'placed' && endedBy === undefined) return {ts}
      if (state === 'over' || state === 'found' || state === 'before') return {ts}
      if (state === 'wanted' && status !== undefined && endedBy !== undefined) {
        await announcements.move(id, 'gone')
        return {code: 'over'}
      }
      try {
        if (state === 'wanted') await post(one, isPlain)
        else if (state === 'intended') await lookFor(one, looks)
        else await edit(one)
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
        if (state === 'wanted') looks = error.isAnswered ? ANSWERED : UNANSWERED
        // A refusal is an answer: the message surely does not exist.
        if (state === 'wanted' && error.kind !== 'retry') await announcements.move(id, 'wanted')
        if (await sitOut(error, one, failures)) continue
        if (state === 'wanted' && error.kind === 'refused' && !isPlain) isPlain = true
        else if (error.kind === 'unusable' || state !== 'wanted') {
          await giveUp(one, error.code)
          if (state !== 'placed') return {code: error.code}
        } else {
          await announcements.move(id, 'gone')
          return {code: error.code}
        }
      }
    }
    throw new Error('The process stops')
  }
}

const messageSchema = z.looseObject({
  ts: z.string(),
  user: z.string(),
  metadata: z.looseObject({event_payload: z.looseObject({id: z.string()})}),
})

/** A receipt stands in its last form from the first. */
function standing({status}: Announcement): AnnouncementState {
  return status === HOOK_RECEIPT ? 'over' : 'placed'
}
