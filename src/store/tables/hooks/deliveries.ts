import {type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {waitMsOf} from './rate.ts'
import {type NewReceipt, addReceipt} from './receipts.ts'
import {type NewRun, addRun} from './runs.ts'

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
}

type Added = 'accepted' | 'duplicate' | 'full'

export interface DeliveryStore {
  /** `full`: so many wait that it is not taken. */
  add(delivery: NewDelivery, nowMs: number): Promise<Added>
  /**
   * Of a sender: as often as a hook may be used, over all instances. Rejects when the signal comes first, and then it does
   * not stand.
   */
  receive(
    delivery: NewDelivery,
    nowMs: number,
    terms: {perMinute: number; signal: AbortSignal},
  ): Promise<Added | {waitMs: number}>
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
  /** It is about to be sent to the platform. False: it is gone. */
  attempt(id: number): Promise<boolean>
  postpone(id: number, dueAtMs: number): Promise<void>
  /**
   * What came of it, and what its channel is told of that: both or none. What was late is told together with others of its
   * hook that still wait. True: there is something to tell.
   */
  settle(
    id: number,
    outcome: DeliveryOutcome,
    receipt: Pick<NewReceipt, 'channel' | 'name'> | undefined,
    nowMs: number,
    /** Work may have begun, which is to be found. */
    run?: NewRun,
  ): Promise<boolean>
}

/** So many of a hook stand in its log and can be sent again. */
const LOGGED = 100
/** So many of a hook may wait: a platform that is away must not fill the disk. */
export const MAX_WAITING = 1000
/** So many of a hook are kept that were given up: their bodies must not fill the disk either. */
export const MAX_GIVEN_UP = 200
const LOST: ReadonlySet<DeliveryOutcome> = new Set(['not-found', 'refused', 'expired', 'unsaid'])
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
    {hookId, team, key, sentKey, body}: NewDelivery,
    nowMs: number,
  ): Promise<'accepted' | 'full'> => {
    if ((await countWaiting(transaction, hookId)) >= MAX_WAITING) return 'full'
    const times = {due_at_ms: nowMs, received_at_ms: nowMs}
    await transaction
      .insertInto('deliveries')
      .values({hook_id: hookId, team, key, sent_key: sentKey, body, ...times})
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
      const waitMs = await waitMsOf(transaction, delivery.hookId, {perMinute, nowMs})
      return waitMs > 0 ? {waitMs} : insert(transaction, delivery, nowMs)
    }, signal)

  const byId: DeliveryStore['byId'] = async (id) => {
    const query = db.selectFrom('deliveries').selectAll().where('id', '=', id)
    const row = await query.executeTakeFirst()
    return row && toDelivery(row)
  }

  const log: DeliveryStore['log'] = async (hookId, {limit, beforeId}) => {
    const rows = await db
      .selectFrom('deliveries')
      .selectAll()
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
    const rows = await db
      .selectFrom('deliveries')
      .innerJoin('hooks', 'hooks.id', 'deliveries.hook_id')
      .selectAll('deliveries')
      .where('hooks.state', '=', 'on')
      .where(ownTeam, 'in', teams)
      .where('due_at_ms', '<=', nowMs)
      .where('deliveries.id', 'not in', [...ids, -1])
      .where('hooks.id', 'not in', [...hookIds, ''])
      .orderBy('due_at_ms')
      .limit(AT_ONCE)
      .execute()
    return rows.map(toDelivery)
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

  const attempt: DeliveryStore['attempt'] = (id) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await waiting(transaction, id)
        .set(({eb}) => ({attempts: eb('attempts', '+', 1)}))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })

  const settle: DeliveryStore['settle'] = (id, outcome, receipt, nowMs, run) =>
    write(async (transaction) => {
      const row = await waiting(transaction, id)
        .set({outcome, due_at_ms: null, ...(isLost(outcome) && {given_up_at_ms: ifBody(nowMs)})})
        .returning(['hook_id', 'team', 'attempts', 'received_at_ms'])
        .executeTakeFirst()
      if (row === undefined) return false
      const {hook_id: hookId, team} = row
      if (isLost(outcome)) await keepNewest(transaction, hookId)
      await forgetBodies(transaction, hookId)
      const seek = async (receiptId: string | undefined): Promise<void> => {
        if (run === undefined) return
        await addRun(transaction, run, {receiptId, dueAtMs: nowMs + FIRST_LOOK_MS})
      }
      if (receipt === undefined) {
        await seek(undefined)
        return false
      }
      const isFresh = row.attempts <= 1 && nowMs - row.received_at_ms <= FRESH_MS
      const isAlone = isFresh || (await countWaiting(transaction, hookId)) === 0
      const told = {...receipt, team, hookId, outcome}
      await seek(await addReceipt(transaction, told, isAlone ? nowMs : nowMs + HELD_MS))
      return true
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

/** What is in no log any more is not sent again. Its key stays, so that the same is still known. */
async function forgetBodies(db: Transaction<Schema>, hookId: string): Promise<void> {
  const last = await db
    .selectFrom('deliveries')
    .select('id')
    .where('hook_id', '=', hookId)
    .orderBy('id', 'desc')
    .offset(LOGGED)
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  await db
    .updateTable('deliveries')
    .set({body: null})
    .where('hook_id', '=', hookId)
    .where('id', '<=', last.id)
    .where('body', 'is not', null)
    .where('due_at_ms', 'is', null)
    .where('given_up_at_ms', 'is', null)
    .execute()
}

/** What has no body can't be sent again. */
function ifBody(nowMs: number) {
  return sql<number | null>`case when body is null then null else cast(${nowMs} as bigint) end`
}

/** Whether it is kept to be sent again: filters that don't match will not match later. */
function isLost(outcome: DeliveryOutcome): boolean {
  return LOST.has(outcome)
}

/** Those of them that are too many are wanted no more, and are as old as the log says. */
async function keepNewest(db: Transaction<Schema>, hookId: string): Promise<void> {
  const last = await db
    .selectFrom('deliveries')
    .select('id')
    .where('hook_id', '=', hookId)
    .where('given_up_at_ms', 'is not', null)
    .orderBy('id', 'desc')
    .offset(MAX_GIVEN_UP)
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  await db
    .updateTable('deliveries')
    .set({given_up_at_ms: null})
    .where('hook_id', '=', hookId)
    .where('id', '<=', last.id)
    .where('given_up_at_ms', 'is not', null)
    .execute()
}

function toDelivery(row: Selectable<Schema['deliveries']>): Delivery {
  return {
    id: row.id,
    hookId: row.hook_id,
    sentKey: row.sent_key,
    hasBody: row.body !== null,
    outcome: (row.outcome as DeliveryOutcome | null) ?? undefined,
    attempts: row.attempts,
    repeats: row.repeats,
    receivedAtMs: row.received_at_ms,
    isGivenUp: row.given_up_at_ms !== null,
    isAgain: row.is_again === 1,
  }
}
