import {type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'

/** `open → done`, or `open → failed` when a person has to do it again. */
type InboxState = 'open' | 'done' | 'failed'

/** Something that a person did in Slack. */
export interface InboxRow {
  id: number
  key: string
  /** Whose owner handles it. */
  team: string
  /** Rows of one lane are handled one after the other, in the order they came. */
  lane: string
  /** What Slack delivered, as JSON. */
  body: string
  attempts: number
  receivedAtMs: number
}

export interface InboxStore {
  /**
   * False: a row with this key stands already. The signal takes the row back, and the promise rejects,
   * unless it stands by then.
   */
  add: (
    row: Pick<InboxRow, 'key' | 'team' | 'lane' | 'body'>,
    nowMs: number,
    signal?: AbortSignal,
  ) => Promise<boolean>
  /** Of these workspaces the oldest open row of each lane, if its time has come; oldest first. Some of them, where there are many. */
  due(nowMs: number, teams: readonly string[]): Promise<InboxRow[]>
  /** When the next row that is not due yet will be. */
  nextDueAtMs(nowMs: number, teams: readonly string[]): Promise<number | undefined>
  byKey(key: string): Promise<InboxRow | undefined>
  /** Handled. The key stays, so that a late delivery finds it; what it said does not. */
  done(id: number): Promise<void>
  /** Not handled: the key is free again, so that the person can ask once more. */
  fail(id: number): Promise<void>
  postpone(id: number, dueAtMs: number): Promise<void>
  /** What was handled of this row's lane, and came before it; oldest first. */
  handledBefore(row: Pick<InboxRow, 'id' | 'lane'>): Promise<Pick<InboxRow, 'id' | 'key'>[]>
  /** The keys of what came last in this lane, handled or not; newest first, a few. */
  newestIn(lane: string): Promise<string[]>
  /** Whether something of this lane is not handled yet. */
  isOpen(lane: string): Promise<boolean>
  /** To be handled once more, unless it is open. */
  reopen(id: number, body: string): Promise<void>
  /** True for the first caller of this row, ever: what follows may happen once at most. */
  tell(id: number, what: keyof typeof TOLD): Promise<boolean>
  /** How many things of each kind people of a workspace have done since then, as far as the keys tell. */
  kindsSince(team: string, sinceMs: number): Promise<ReadonlyMap<string, number>>
}

/**
 * Longer than this nothing is postponed. What is due later than that was postponed before the clock
 * went back, and is due now.
 */
export const LONGEST_WAIT_MS = 900_000

const NEVER_POSTPONED = 0
/** So many are looked at in one go: more than are handled at the same time. */
const AT_ONCE = 200

/** Edits and reactions among them. */
const NEWEST = 20

/** That it has to wait, and what became of it. `begun`: what has no key, and may be done once at most. */
const TOLD = {wait: 1, outcome: 2, begun: 4} as const

export function createInboxStore(db: Kysely<Schema>, write: Write): InboxStore {
  const byKey: InboxStore['byKey'] = async (key) => {
    const row = await db.selectFrom('inbox').selectAll().where('key', '=', key).executeTakeFirst()
    return row && toInboxRow(row)
  }

  const add: InboxStore['add'] = async ({key, team, lane, body}, nowMs, signal) => {
    // What is delivered once more need not wait until something can be written.
    if ((await byKey(key)) !== undefined) return false
    return write((transaction) => addRow(transaction, {key, team, lane, body}, nowMs), signal)
  }

  // A number in the text itself: an index of some of the rows is of no use to a query that might mean others.
  const heads = (teams: readonly string[]) =>
    db.selectFrom('inbox').where('head', '=', sql.lit(1)).where('team', 'in', teams)

  const due: InboxStore['due'] = async (nowMs, teams) => {
    const some = heads(teams).selectAll().limit(AT_ONCE)
    const inTime = some.orderBy('due_at_ms').orderBy('id')
    // Each of them is read as it stands in the index: however much is open, a look costs the same.
    const found = await Promise.all([
      some.where('due_at_ms', '=', NEVER_POSTPONED).orderBy('id').execute(),
      inTime.where('due_at_ms', '>', NEVER_POSTPONED).where('due_at_ms', '<=', nowMs).execute(),
      inTime.where('due_at_ms', '>', nowMs + LONGEST_WAIT_MS).execute(),
    ])
    const rows = found.flat().toSorted((a, b) => a.id - b.id)
    return rows.slice(0, AT_ONCE).map(toInboxRow)
  }

  const nextDueAtMs: InboxStore['nextDueAtMs'] = async (nowMs, teams) => {
    const row = await heads(teams)
      .select('due_at_ms')
      .where('due_at_ms', '>', nowMs)
      .orderBy('due_at_ms')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at_ms
  }

  const change = (id: number, values: {state?: InboxState; body?: string; key?: string}) =>
    write(async (transaction) => {
      await transaction.updateTable('inbox').set(values).where('id', '=', id).execute()
    })

  const postpone = (id: number, dueAtMs: number): Promise<void> =>
    write(async (transaction) => {
      await transaction
        .updateTable('inbox')
        .set(({eb}) => ({due_at_ms: dueAtMs, attempts: eb('attempts', '+', 1)}))
        .where('id', '=', id)
        .execute()
    })

  const handledBefore: InboxStore['handledBefore'] = ({id, lane}) =>
    db
      .selectFrom('inbox')
      .select(['id', 'key'])
      .where('lane', '=', lane)
      .where('id', '<', id)
      .where('state', '=', 'done' satisfies InboxState)
      .orderBy('id')
      .execute()

  const newestIn: InboxStore['newestIn'] = async (lane) => {
    const rows = await db
      .selectFrom('inbox')
      .select('key')
      .where('lane', '=', lane)
      .where('state', 'in', ['open', 'done'] satisfies InboxState[])
      .orderBy('id', 'desc')
      .limit(NEWEST)
      .execute()
    return rows.map(({key}) => key)
  }

  const isOpen: InboxStore['isOpen'] = async (lane) => {
    const row = await db
      .selectFrom('inbox')
      .select('id')
      .where('lane', '=', lane)
      .where('state', '=', 'open' satisfies InboxState)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  const reopen: InboxStore['reopen'] = (id, body) =>
    write(async (transaction) => {
      const state: InboxState = 'open'
      await transaction
        .updateTable('inbox')
        .set({state, body, due_at_ms: NEVER_POSTPONED, attempts: 0})
        .where('id', '=', id)
        .where('state', '=', 'done' satisfies InboxState)
        .execute()
    })

  const tell: InboxStore['tell'] = (id, what) =>
    write(async (transaction) => {
      const bit = TOLD[what]
      const result = await transaction
        .updateTable('inbox')
        .set({told: sql`told | ${bit}`})
        .where('id', '=', id)
        .where(sql<boolean>`told & ${bit} = 0`)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  const kindsSince: InboxStore['kindsSince'] = async (team, sinceMs) => {
    // A key begins with the kind and the workspace: `["press","T1",…`.
    const kind = sql<string>`substr(key, 3, instr(key, '",') - 3)`
    const rows = await db
      .selectFrom('inbox')
      .select([kind.as('kind'), ({fn}) => fn.countAll<number>().as('count')])
      .where('received_at_ms', '>=', sinceMs)
      .where('key', 'like', `["%","${team}",%`)
      .groupBy('kind')
      .orderBy('count', 'desc')
      .orderBy('kind')
      .execute()
    return new Map(rows.map((row) => [row.kind, row.count]))
  }

  return {
    add,
    due,
    nextDueAtMs,
    byKey,
    done: (id) => change(id, {state: 'done', body: ''}),
    fail: (id) => change(id, {state: 'failed', body: '', key: `failed:${id}`}),
    postpone,
    handledBefore,
    newestIn,
    isOpen,
    reopen,
    tell,
    kindsSince,
  }
}

/** As part of what makes it; false: a row with this key stands already. */
export async function addRow(
  transaction: Transaction<Schema>,
  row: Pick<InboxRow, 'key' | 'team' | 'lane' | 'body'>,
  nowMs: number,
): Promise<boolean> {
  const state: InboxState = 'open'
  const result = await transaction
    .insertInto('inbox')
    .values({...row, state, due_at_ms: NEVER_POSTPONED, received_at_ms: nowMs})
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Nobody is to handle what is open of a workspace, or of an organization: it is as what was given up, and what it said goes. */
export async function endRows(transaction: Transaction<Schema>, team: string): Promise<void> {
  await transaction
    .updateTable('inbox')
    .set({state: 'failed' satisfies InboxState, body: '', key: sql<string>`'failed:' || id`})
    .where('team', '=', team)
    .where('state', '=', 'open' satisfies InboxState)
    .execute()
}

function toInboxRow(row: Selectable<Schema['inbox']>): InboxRow {
  const {id, key, team, lane, body, attempts, received_at_ms: receivedAtMs} = row
  return {id, key, team, lane, body, attempts, receivedAtMs}
}
