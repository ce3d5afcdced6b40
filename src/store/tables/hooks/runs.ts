import {createHash} from 'node:crypto'
import {type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {LONGEST_WAIT_MS} from '../inbox.ts'
import {markPrivate} from '../work/private-marks.ts'
import {nameInReceipt} from './receipts.ts'

/**
 * Work that a delivery to a hook, or a schedule, began or may have begun. Of a schedule it is `found` when it is written down. Of a delivery it
 * is `intended → sought → found`, or lost: it stands from before the delivery first goes out, with nothing due until what came of that is
 * known, and then it is looked for. With a thread, what is due is to follow it.
 */
export interface Run {
  id: string
  team: string
  /** Of the hook: its work belongs there. */
  channel: string
  /** Empty: it is a schedule's. */
  hookId: string
  automationId: string | undefined
  /** The automation's. */
  name: string
  /** `undefined`: nobody knows it. */
  projectId: string | undefined
  connectionId: string | undefined
  /** What stands in the first words of its thread. */
  reference: string
  /** It was begun in a closed place, and is known there alone. */
  isPrivate: boolean
  /** What the channel was told of the delivery, with that of others perhaps. */
  receiptId: string | undefined
  begunAtMs: number
  /** How often it was looked for. */
  looks: number
  threadId: string | undefined
  title: string | undefined
}

type NewRun = Omit<Run, 'receiptId' | 'looks' | 'threadId' | 'title'>

/** What a delivery is about to begin. */
export type Attempted = Omit<NewRun, 'id' | 'team' | 'hookId'>

/** The work of a schedule. */
export interface BegunThread {
  threadId: string
  title: string | undefined
  begunAtMs: number
}

export interface RunStore {
  byId(id: string): Promise<Run | undefined>
  /** Those of which something is due. */
  due(teams: readonly string[], nowMs: number): Promise<Run[]>
  nextDueAtMs(teams: readonly string[], nowMs: number): Promise<number | undefined>
  /** The newest that were found of an automation in a channel. */
  ofAutomation(
    of: {team: string; channel: string; automationId: string},
    limit: number,
  ): Promise<Run[]>
  /** The automation's name of each of these threads that one began here. */
  namesOf(of: {team: string; threadIds: readonly string[]}): Promise<ReadonlyMap<string, string>>
  /** It was looked for in vain, `isCounted`, or nobody could look; it is looked for again at that time, or never. */
  later(id: string, dueAtMs: number | undefined, isCounted: boolean): Promise<void>
  /** Nobody finds it, or it did not run: what was held back because it may have been it, is no longer. Its hook is not new any more. */
  drop(id: string): Promise<void>
  /**
   * Its thread, which its receipt says from now on; what is to be done with it is due. Of a private place it is private from now on
   * for good. Its hook learns the project. False: the receipt is just on its way to Slack, and nothing has changed.
   */
  found(
    id: string,
    thread: {id: string; title: string | undefined; projectId?: string | undefined},
    nowMs: number,
  ): Promise<boolean>
}

const AT_ONCE = 200

export function createRunStore(db: Kysely<Schema>, write: Write): RunStore {
  const waiting = (teams: readonly string[]) =>
    db
      .selectFrom('runs')
      .where('due_at_ms', 'is not', null)
      .where('team', 'in', [...teams, ''])

  return {
    byId: async (id) => {
      const query = db.selectFrom('runs').selectAll().where('id', '=', id)
      const row = await query.executeTakeFirst()
      return row && toRun(row)
    },
    due: async (teams, nowMs) => {
      const some = waiting(teams).selectAll().orderBy('due_at_ms').limit(AT_ONCE)
      const found = await Promise.all([
        some.where('due_at_ms', '<=', nowMs).execute(),
        some.where('due_at_ms', '>', nowMs + LONGEST_WAIT_MS).execute(),
      ])
      return found.flat().map(toRun)
    },
    nextDueAtMs: async (teams, nowMs) => {
      const row = await waiting(teams)
        .select('due_at_ms')
        .where('due_at_ms', '>', nowMs)
        .orderBy('due_at_ms')
        .limit(1)
        .executeTakeFirst()
      return row?.due_at_ms ?? undefined
    },
    ofAutomation: async ({team, channel, automationId}, limit) => {
      const rows = await db
        .selectFrom('runs')
        .selectAll()
        .where('team', '=', team)
        .where('automation_id', '=', automationId)
        .where('channel', '=', channel)
        .where('thread_id', 'is not', null)
        .orderBy('begun_at_ms', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRun)
    },
    namesOf: async ({team, threadIds}) => {
      const rows = await db
        .selectFrom('runs')
        .select(['thread_id', 'name'])
        .where('thread_id', 'in', [...threadIds, ''])
        .where('team', '=', team)
        .execute()
      return new Map(rows.map(({thread_id: threadId, name}) => [threadId ?? '', name]))
    },
    later: (id, dueAtMs, isCounted) =>
      write(async (transaction) => {
        await transaction
          .updateTable('runs')
          .set(({eb}) => ({due_at_ms: dueAtMs ?? null, looks: eb('looks', '+', isCounted ? 1 : 0)}))
          .where('id', '=', id)
          .execute()
      }),
    drop: (id) =>
      write(async (transaction) => {
        const dropped = transaction.selectFrom('runs').select('hook_id').where('id', '=', id)
        await transaction
          .updateTable('hooks')
          .set({project_id: ''})
          .where('id', 'in', dropped)
          .where('project_id', 'is', null)
          .execute()
        await transaction.deleteFrom('runs').where('id', '=', id).execute()
      }),
    found: (id, thread, nowMs) =>
      write(async (transaction) => {
        const row = await transaction
          .selectFrom('runs')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst()
        if (row === undefined) return true
        const named = {id, threadId: thread.id, title: thread.title}
        if (!(await nameInReceipt(transaction, row.receipt_id, named))) return false
        if (row.is_private === 1) await markPrivate(transaction, thread.id)
        await transaction
          .updateTable('hooks')
          .set({project_id: thread.projectId ?? ''})
          .where('id', '=', row.hook_id)
          .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', '')]))
          .execute()
        await transaction
          .updateTable('runs')
          .set({...{thread_id: thread.id, title: thread.title ?? null, due_at_ms: nowMs}})
          .where('id', '=', id)
          .execute()
        return true
      }),
  }
}

/** What a schedule has begun, each once. Of a private place it is private for good. */
export async function addFound(
  db: Transaction<Schema>,
  schedule: Pick<
    Run,
    'team' | 'channel' | 'name' | 'projectId' | 'connectionId' | 'reference' | 'isPrivate'
  > & {automationId: string},
  found: readonly BegunThread[],
  nowMs: number,
): Promise<void> {
  for (const {threadId, title, begunAtMs} of found) {
    if (schedule.isPrivate) await markPrivate(db, threadId)
    const run = {...schedule, id: idOfFound(schedule, threadId), hookId: '', begunAtMs}
    await db
      .insertInto('runs')
      .values({...toRow(run), thread_id: threadId, title: title ?? null, due_at_ms: nowMs})
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
}

function idOfFound({team, channel}: Pick<Run, 'team' | 'channel'>, threadId: string): string {
  const words = JSON.stringify([team, channel, threadId])
  return createHash('sha256').update(words).digest('base64url').slice(0, 22)
}

/** Before its delivery goes out for the first time. */
export async function intendRun(
  db: Transaction<Schema>,
  delivery: {id: number; hook_id: string; team: string},
  run: Attempted,
): Promise<void> {
  const {team, hook_id: hookId} = delivery
  await db
    .insertInto('runs')
    .values(toRow({...run, id: idOf(delivery), team, hookId}))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Together with what came of its delivery. */
export async function seekRun(
  db: Transaction<Schema>,
  delivery: {id: number; hook_id: string},
  {receiptId, dueAtMs}: {receiptId: string | undefined; dueAtMs: number},
): Promise<void> {
  await db
    .updateTable('runs')
    .set({receipt_id: receiptId ?? null, due_at_ms: dueAtMs})
    .where('id', '=', idOf(delivery))
    .where('thread_id', 'is', null)
    .execute()
}

/** Its delivery has begun nothing. */
export async function forgetRun(
  db: Transaction<Schema>,
  delivery: {id: number; hook_id: string},
): Promise<void> {
  await db
    .deleteFrom('runs')
    .where('id', '=', idOf(delivery))
    .where('thread_id', 'is', null)
    .execute()
}

/** Nobody will hear any more what came of the deliveries of a hook that are on their way: what they may have begun is looked for. */
export async function seekRunsOf(db: Transaction<Schema>, hookId: string): Promise<void> {
  await db
    .updateTable('runs')
    .set({due_at_ms: sql.ref('begun_at_ms')})
    .where('hook_id', '=', hookId)
    .where('thread_id', 'is', null)
    .where('due_at_ms', 'is', null)
    .execute()
}

/** Of what a delivery begins, the same at each try. */
function idOf({id, hook_id: hookId}: {id: number; hook_id: string}): string {
  return `${hookId}-${id}`
}

function toRow(run: NewRun) {
  return {
    ...{id: run.id, team: run.team, channel: run.channel, hook_id: run.hookId},
    ...{automation_id: run.automationId ?? null, name: run.name, reference: run.reference},
    ...{project_id: run.projectId ?? '', connection_id: run.connectionId ?? ''},
    ...{is_private: run.isPrivate ? 1 : 0, begun_at_ms: run.begunAtMs},
  }
}

function toRun(row: Selectable<Schema['runs']>): Run {
  return {
    ...{id: row.id, team: row.team, channel: row.channel, hookId: row.hook_id, name: row.name},
    automationId: row.automation_id ?? undefined,
    projectId: row.project_id || undefined,
    connectionId: row.connection_id || undefined,
    reference: row.reference,
    isPrivate: row.is_private === 1,
    receiptId: row.receipt_id ?? undefined,
    ...{begunAtMs: row.begun_at_ms, looks: row.looks},
    threadId: row.thread_id ?? undefined,
    title: row.title ?? undefined,
  }
}
