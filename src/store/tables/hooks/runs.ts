import {type Kysely, type Selectable, type Transaction} from 'kysely'
import type {AnnouncementState, AnnouncementWords} from '../channels/announcements.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'

/**
 * Work that a delivery to a hook, or a schedule, began or may have begun: `expected → sought → found`, or lost. Of a schedule it is
 * expected before its time (`looks` is below zero). It is sought as long as a look is due
 * and no thread is known; with a thread, what is due is to say whose it is, and to follow it.
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
  /** It was begun in a private place, and is known there alone. */
  isPrivate: boolean
  /** What its automation runs on; `undefined`: it is a hook's. */
  schedules: readonly Schedule[] | undefined
  /** What the channel was told of the delivery, with that of others perhaps. */
  receiptId: string | undefined
  begunAtMs: number
  /** How often it was looked for. */
  looks: number
  threadId: string | undefined
  title: string | undefined
}

export type NewRun = Omit<Run, 'schedules' | 'receiptId' | 'looks' | 'threadId' | 'title'>

/** Five fields of cron, in a time zone. */
export interface Schedule {
  cron: string
  zone: string
}

export interface RunStore {
  byId(id: string): Promise<Run | undefined>
  /** Those of which something is due. */
  due(teams: readonly string[], nowMs: number): Promise<Run[]>
  nextDueAtMs(teams: readonly string[], nowMs: number): Promise<number | undefined>
  /** What a schedule will begin at that time: looked at a little earlier, and then sought. */
  expect(run: NewRun & {schedules: readonly Schedule[]}, dueAtMs: number): Promise<void>
  /** The newest that were found of an automation in a channel. */
  ofAutomation(
    of: {team: string; channel: string; automationId: string},
    limit: number,
  ): Promise<Run[]>
  /** It was looked for in vain, `isCounted`, or nobody could look; it is looked for again at that time, or never. */
  later(id: string, dueAtMs: number | undefined, isCounted: boolean): Promise<void>
  /** Nobody finds it, or it did not run. */
  drop(id: string): Promise<void>
  /**
   * Its thread, which its receipt says from now on; what is to be done with it is due. False: the receipt is just on its
   * way to Slack, and nothing has changed.
   */
  found(
    id: string,
    thread: {id: string; title: string | undefined},
    nowMs: number,
  ): Promise<boolean>
}

const AT_ONCE = 200
/** So many are named in one receipt. */
const MAX_NAMED = 5

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
      const rows = await waiting(teams)
        .selectAll()
        .where('due_at_ms', '<=', nowMs)
        .orderBy('due_at_ms')
        .limit(AT_ONCE)
        .execute()
      return rows.map(toRun)
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
    expect: ({schedules, ...run}, dueAtMs) =>
      write(async (transaction) => {
        const row = {...toRow(run), schedules: JSON.stringify(schedules), looks: -1}
        await transaction
          .insertInto('runs')
          .values({...row, due_at_ms: dueAtMs})
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute()
      }),
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
        await transaction
          .updateTable('runs')
          .set({...{thread_id: thread.id, title: thread.title ?? null, due_at_ms: nowMs}})
          .where('id', '=', id)
          .execute()
        return true
      }),
  }
}

/** Together with what came of its delivery: both or none. The same is sought once. */
export async function addRun(
  db: Transaction<Schema>,
  run: NewRun,
  {receiptId, dueAtMs}: {receiptId: string | undefined; dueAtMs: number},
): Promise<void> {
  await db
    .insertInto('runs')
    .values({...toRow(run), receipt_id: receiptId ?? null, due_at_ms: dueAtMs})
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** A receipt that stands is edited; one that waits says it when it is posted; one that is gone says nothing. */
async function nameInReceipt(
  db: Transaction<Schema>,
  id: string | null,
  run: {id: string; threadId: string; title: string | undefined},
): Promise<boolean> {
  if (id === null) return true
  const row = await db
    .selectFrom('announcements')
    .select(['words', 'state', 'ts'])
    .where('id', '=', id)
    .executeTakeFirst()
  const state = row?.state as AnnouncementState | undefined
  if (row === undefined || state === 'gone') return true
  if (state === 'intended') return false
  const words = JSON.parse(row.words) as AnnouncementWords
  const {receipt} = words
  const runs = receipt?.runs ?? []
  if (receipt === undefined || runs.some((one) => one.id === run.id)) return true
  if (runs.length >= MAX_NAMED) return true
  const {title, ...known} = run
  const named = [...runs, {...known, ...(title !== undefined && {title})}]
  const fresh = JSON.stringify({...words, receipt: {...receipt, runs: named}})
  const isShown = state === 'placed' || state === 'over'
  await db
    .updateTable('announcements')
    .set({
      words: fresh,
      ...(isShown && {state: 'placed' satisfies AnnouncementState, ended_by: 'done'}),
    })
    .where('id', '=', id)
    .execute()
  return true
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
    schedules: row.schedules === null ? undefined : (JSON.parse(row.schedules) as Schedule[]),
    receiptId: row.receipt_id ?? undefined,
    ...{begunAtMs: row.begun_at_ms, looks: row.looks},
    threadId: row.thread_id ?? undefined,
    title: row.title ?? undefined,
  }
}
