import {type InferResult, type Kysely, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {LONGEST_WAIT_MS} from '../inbox.ts'
import type {HookKind} from './hooks.ts'
import {waitMsOf} from './rate.ts'
import {forgetBodies, keepNewest} from './kept-bodies.ts'
import {type NewReceipt, addReceipt} from './receipts.ts'
import {type Attempted, forgetRun, intendRun, seekRun} from './runs.ts'

/**
 * What came of it. The first three are the platform's words. `not-found`: the address is wrong or the automation is
 * disabled; the platform does not tell which. `refused`: the platform does not take it. `expired`: it did not get through
 * for a day. `unsaid`: the platform took it, and said none of its words.
 */
export type DeliveryOutcome =
  'accepted' | 'duplicate' | 'no-match' | 'not-found' | 'refused' | 'expired' | 'unsaid'

/** Something that was delivered to a hook. It waits until it has an outcome, and that is final. */
export interface Delivery {
  id: number
  team: string
  hookId: string
  /** The one that the platform is told. */
  sentKey: string
  /** Whether it can be sent again. */
  hasBody: boolean
  /** `undefined`: it waits. */
  outcome: DeliveryOutcome | undefined
  /** How often it was, or may have been, sent to the platform. */
  attempts: number
  /** How often the same came again. */
  repeats: number
  receivedAtMs: number
  /** It was given up, and is kept to be sent again. */
  isGivenUp: boolean
  /** Somebody sent it again, and waits for what comes of it. */
  isAgain: boolean
}

interface NewDelivery {
  hookId: string
  team: string
  key: string
  sentKey: string
  /** Sealed. */
  body: string
  /** Somebody in Slack sends it, and waits for what comes of it. */
  isAgain?: true
}

type Added = 'accepted' | 'duplicate' | 'full'

export interface DeliveryStore {
  /** `full`: so many wait that it is not taken. */
  add(delivery: NewDelivery, nowMs: number): Promise<Added>
  /**
   * Of a sender: as often as a hook may be used, over all instances. Rejects when the signal comes first, and then it does
   * not stand. `gone`: there is no such hook any more.
   */
  receive(
    delivery: NewDelivery,
    nowMs: number,
    terms: {perMinute: number; signal: AbortSignal},
  ): Promise<Added | 'gone' | {waitMs: number}>
  byId(id: number): Promise<Delivery | undefined>
  /** The sealed body; `undefined` where there is none any more. */
  bodyOf(id: number): Promise<string | undefined>
  /** Newest first. */
  log(hookId: string, page: {limit: number; beforeId: number | undefined}): Promise<Delivery[]>
  /** Those whose time has come and whose hook is on, oldest first, besides these. */
  due(
    nowMs: number,
    teams: readonly string[],
    besides: {ids: readonly number[]; hookIds: readonly string[]},
  ): Promise<Delivery[]>
  nextDueAtMs(nowMs: number, teams: readonly string[]): Promise<number | undefined>
  /** It is about to be sent to the platform, and may begin this. False: it is gone. */
  attempt(id: number, run: Attempted | undefined): Promise<boolean>
  postpone(id: number, dueAtMs: number): Promise<void>
  /**
   * What came of it, and what its channel is told of that: both or none. What was late is told together with others of its
   * hook that still wait. What it may have begun is looked for from now on. True: there is something to tell.
   */
  settle(
    id: number,
    outcome: DeliveryOutcome,
    receipt: Pick<NewReceipt, 'channel' | 'name'> | undefined,
    nowMs: number,
  ): Promise<boolean>
}

/** So many of a hook may wait: a platform that is away must not fill the disk. */
export const MAX_WAITING = 1000
const LOST: ReadonlySet<DeliveryOutcome> = new Set(['not-found', 'refused', 'expired', 'unsaid'])
const BEGUN: ReadonlySet<DeliveryOutcome> = new Set(['accepted', 'unsaid'])
/** Due at once, also for whose clock is behind that of the instance which has taken it. */
export const NEVER_POSTPONED = 0
/** So many are looked at in one go. */
const AT_ONCE = 64
/** What has waited for longer comes with others: nobody looks out for it by now. */
const FRESH_MS = 10_000
/** The platform says that it takes it, and begins the work. */
const FIRST_LOOK_MS = 1000
/** For so long at most they are told together. */
const HELD_MS = 120_000

export function createDeliveryStore(db: Kysely<Schema>, write: Write): DeliveryStore {
  const repeat = async (
    transaction: Transaction<Schema>,
    {hookId, key}: NewDelivery,
  ): Promise<boolean> => {
    const {numUpdatedRows} = await transaction
      .updateTable('deliveries')
      .set(({eb}) => ({repeats: eb('repeats', '+', 1)}))
      .where('hook_id', '=', hookId)
      .where('key', '=', key)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  const insert = async (
    transaction: Transaction<Schema>,
    {hookId, team, key, sentKey, body, isAgain}: NewDelivery,
    nowMs: number,
  ): Promise<'accepted' | 'full'> => {
    if ((await countWaiting(transaction, hookId)) >= MAX_WAITING) return 'full'
    const again = isAgain === true ? {is_again: 1} : {}
    const times = {due_at_ms: NEVER_POSTPONED, received_at_ms: nowMs}
    await transaction
      .insertInto('deliveries')
      .values({hook_id: hookId, team, key, sent_key: sentKey, body, ...again, ...times})
      .execute()
    return 'accepted'
  }

  const add: DeliveryStore['add'] = (delivery, nowMs) =>
    write(async (transaction) =>
      (await repeat(transaction, delivery)) ? 'duplicate' : insert(transaction, delivery, nowMs),
    )

  const receive: DeliveryStore['receive'] = (delivery, nowMs, {perMinute, signal}) =>
    write(async (transaction) => {
      if (await repeat(transaction, delivery)) return 'duplicate'
      const hook = transaction.selectFrom('hooks').select('id').where('id', '=', delivery.hookId)
      if ((await hook.executeTakeFirst()) === undefined) return 'gone'
      const waitMs = await waitMsOf(transaction, delivery.hookId, {perMinute, nowMs})
      return waitMs > 0 ? {waitMs} : insert(transaction, delivery, nowMs)
    }, signal)

  const byId: DeliveryStore['byId'] = async (id) => {
    const row = await deliveriesIn(db).where('id', '=', id).executeTakeFirst()
    return row && toDelivery(row)
  }

  const log: DeliveryStore['log'] = async (hookId, {limit, beforeId}) => {
    const rows = await deliveriesIn(db)
      .where('hook_id', '=', hookId)
      .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toDelivery)
  }

  // Read in the order in which they are due, not all of a workspace and sorted.
  const ownTeam = sql<string>`coalesce(deliveries.team, '')`

  const due: DeliveryStore['due'] = async (nowMs, teams, {ids, hookIds}) => {
    const some = deliveriesIn(db)
      .innerJoin('hooks', 'hooks.id', 'deliveries.hook_id')
      .where('hooks.state', '=', 'on')
      // An earlier version beside this one writes down whatever comes.
      .where('hooks.kind', '=', 'automation' satisfies HookKind)
      .where(ownTeam, 'in', teams)
      .where('deliveries.id', 'not in', [...ids])
      .where('hooks.id', 'not in', [...hookIds])
      .orderBy('due_at_ms')
      .orderBy('deliveries.id')
      .limit(AT_ONCE)
    const found = await Promise.all([
      some.where('due_at_ms', '<=', nowMs).execute(),
      some.where('due_at_ms', '>', nowMs + LONGEST_WAIT_MS).execute(),
    ])
    return found.flat().map(toDelivery)
  }

  const nextDueAtMs: DeliveryStore['nextDueAtMs'] = async (nowMs, teams) => {
    const row = await db
      .selectFrom('deliveries')
      .select('due_at_ms')
      .where('due_at_ms', '>', nowMs)
      .where(ownTeam, 'in', teams)
      .orderBy('due_at_ms')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at_ms ?? undefined
  }

  const waiting = (transaction: Transaction<Schema>, id: number) =>
    transaction.updateTable('deliveries').where('id', '=', id).where('due_at_ms', 'is not', null)

  const attempt: DeliveryStore['attempt'] = (id, run) =>
    write(async (transaction) => {
      const row = await waiting(transaction, id)
        .set(({eb}) => ({attempts: eb('attempts', '+', 1)}))
        .returning(['id', 'hook_id', 'team'])
        .executeTakeFirst()
      if (row !== undefined && run !== undefined) await intendRun(transaction, row, run)
      return row !== undefined
    })

  const settle: DeliveryStore['settle'] = (id, outcome, receipt, nowMs) =>
    write(async (transaction) => {
      const row = await waiting(transaction, id)
        .set({outcome, due_at_ms: null, ...(isLost(outcome) && {given_up_at_ms: ifBody(nowMs)})})
        .returning(['id', 'hook_id', 'team', 'attempts', 'received_at_ms'])
        .executeTakeFirst()
      if (row === undefined) return false
      const {hook_id: hookId, team} = row
      if (isLost(outcome)) await keepNewest(transaction, hookId)
      await forgetBodies(transaction, hookId)
      const tell = async (): Promise<string | undefined> => {
        if (receipt === undefined) return undefined
        const isFresh = row.attempts <= 1 && nowMs - row.received_at_ms <= FRESH_MS
        const isAlone = isFresh || (await countWaiting(transaction, hookId)) === 0
        const told = {...receipt, team, hookId, outcome}
        return addReceipt(transaction, told, isAlone ? nowMs : nowMs + HELD_MS)
      }
      const told = await tell()
      if (mayHaveBegun(outcome, row)) {
        // What did not run, as far as anybody has said, is not named below the words that say so.
        const receiptId = BEGUN.has(outcome) ? told : undefined
        await seekRun(transaction, row, {receiptId, dueAtMs: nowMs + FIRST_LOOK_MS})
      } else {
        await forgetRun(transaction, row)
      }
      return told !== undefined
    })

  return {
    add,
    receive,
    byId,
    log,
    due,
    nextDueAtMs,
    attempt,
    settle,
    bodyOf: async (id) => {
      const query = db.selectFrom('deliveries').select('body').where('id', '=', id)
      return (await query.executeTakeFirst())?.body ?? undefined
    },
    postpone: (id, dueAtMs) =>
      write(async (transaction) => {
        await waiting(transaction, id).set({due_at_ms: dueAtMs}).execute()
      }),
  }
}

export async function countWaiting(db: Transaction<Schema>, hookId: string): Promise<number> {
  const {waiting} = await db
    .selectFrom('deliveries')
    .select(({fn}) => fn.countAll<number>().as('waiting'))
    .where('hook_id', '=', hookId)
    .where('due_at_ms', 'is not', null)
    .executeTakeFirstOrThrow()
  return waiting
}

/** What has no body can't be sent again. */
function ifBody(nowMs: number) {
  return sql<number | null>`case when body is null then null else cast(${nowMs} as bigint) end`
}

/** Whether it is kept to be sent again: filters that don't match will not match later. */
function isLost(outcome: DeliveryOutcome): boolean {
  return LOST.has(outcome)
}

/** Of a try before the last one nobody knows what came of it: its answer was lost. */
function mayHaveBegun(outcome: DeliveryOutcome, {attempts}: {attempts: number}): boolean {
  if (outcome === 'no-match') return false
  return BEGUN.has(outcome) || outcome === 'expired' || attempts > 1
}

/** Deliveries as {@link toDelivery} takes them: without their bodies, each of which may be more than a megabyte. */
function deliveriesIn(db: Kysely<Schema>) {
  return db
    .selectFrom('deliveries')
    .select([
      ...(['deliveries.id', 'hook_id', 'sent_key', 'outcome', 'attempts', 'repeats'] as const),
      ...(['deliveries.team', 'received_at_ms', 'given_up_at_ms', 'is_again'] as const),
      sql<number>`case when body is null then 0 else 1 end`.as('has_body'),
    ])
}

function toDelivery(row: InferResult<ReturnType<typeof deliveriesIn>>[number]): Delivery {
  return {
    id: row.id,
    team: row.team,
    hookId: row.hook_id,
    sentKey: row.sent_key,
    hasBody: row.has_body === 1,
    outcome: (row.outcome as DeliveryOutcome | null) ?? undefined,
    attempts: row.attempts,
    repeats: row.repeats,
    receivedAtMs: row.received_at_ms,
    isGivenUp: row.given_up_at_ms !== null,
    isAgain: row.is_again === 1,
  }
}
