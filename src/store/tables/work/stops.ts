import {jsonNumber} from '../../database/json.ts'
import {type Kysely, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {LinkState} from './link.ts'
import type {Send, SendDelivery, SendState} from './send.ts'
import {toSend} from './send-lists.ts'

/** Somebody stops work. */
export interface Stop {
  /** The row of what they did: what was written before it has a smaller one. */
  inboxId: number
  by: string
  /** When it reached us. */
  atMs: number
  /** It works, and seemed to be at rest since then: what went out since may wait for the end of that. */
  unheardSinceMs?: number | undefined
}

/** The newest stop of a link's thread. `isAnswered`: an interrupt that went out after it has been answered. */
export interface StandingStop {
  inboxId: number
  isAnswered: boolean
}

/** A thread may stand in several places of a workspace: whatever is asked of one of its links is true for all of them. */
export interface StopStore {
  /** The links that show the same thread in the same workspace, this one first. */
  together(linkId: string): Promise<string[]>
  /**
   * Notes the stop, and in the same transaction holds back what was written before it: what waits is to be taken
   * back (`holding`), so is what counts as `sent` because nobody has heard yet that the work is not at rest; what has not
   * gone out is `held`, and what is under way bears who stopped it. Doing it again is safe.
   *
   * @returns what is to be taken back, as it stood: `holding` has been asked for before.
   */
  begin(linkId: string, stop: Stop): Promise<Send[]>
  newest(linkId: string): Promise<StandingStop | undefined>
  /** The first message that was written after it and went out, or may have. */
  firstAfter(linkId: string, inboxId: number): Promise<Send | undefined>
  /** The interrupt for this stop, and all before it, has been answered. */
  answered(linkId: string, inboxId: number): Promise<void>
  /** What the agent got all the same, and nobody has interrupted it for. */
  late(linkId: string): Promise<Send[]>
  /** Nothing more is to be done about these. */
  settle(late: readonly Send[]): Promise<void>
}

/** As many of them, the newest, are asked for. */
const MAX_DOUBTED = 10

/** Of what was written before this was noted, nobody stops anything that still runs. */
const WRITTEN = sql<number>`coalesce(inbox_id, 0)`

export function createStopStore(db: Kysely<Schema>, write: Write): StopStore {
  const begin: StopStore['begin'] = (linkId, {inboxId, by, unheardSinceMs}) =>
    write(async (transaction) => {
      const linkIds = await idsTogether(transaction, linkId)
      const stop: StandingStop = {inboxId, isAnswered: false}
      await transaction
        .updateTable('links')
        .set({stop: JSON.stringify(stop)})
        .where('id', 'in', linkIds)
        .where(sql<boolean>`coalesce(${jsonNumber('stop', 'inboxId')}, -1) < ${inboxId}`)
        .execute()
      const before = (states: SendState[]) =>
        transaction
          .updateTable('sends')
          .where('link_id', 'in', linkIds)
          .where(WRITTEN, '<', inboxId)
          .where('state', 'in', states)
      if (unheardSinceMs !== undefined) {
        const doubted = transaction
          .selectFrom('sends')
          .select('id')
          .where('link_id', 'in', linkIds)
          .where('created_at_ms', '>=', unheardSinceMs)
          .where('delivery', '!=', 'interrupt' satisfies SendDelivery)
          .where('receipt_id', 'is not', null)
          .orderBy('created_at_ms', 'desc')
          .limit(MAX_DOUBTED)
        await before(['sent'])
          .where('id', 'in', doubted)
          .set({state: 'waiting' satisfies SendState})
          .execute()
      }
      const waiting = await transaction
        .selectFrom('sends')
        .selectAll()
        .where('link_id', 'in', linkIds)
        .where(WRITTEN, '<', inboxId)
        .where('state', 'in', ['waiting', 'holding'] satisfies SendState[])
        .orderBy('created_at_ms')
        .orderBy('message_ts')
        .execute()
      const holding: SendState = 'holding'
      await before(['waiting']).set({state: holding, stopped_by: by}).execute()
      await before(['unsent'])
        .set({state: 'held' satisfies SendState})
        .execute()
      await before(['open', 'unsure', 'hurrying', 'cancelling']).set({stopped_by: by}).execute()
      return waiting.map(toSend)
    })

  const newest: StopStore['newest'] = async (linkId) => {
    const row = await db
      .selectFrom('links')
      .select('stop')
      .where('id', '=', linkId)
      .executeTakeFirst()
    return row?.stop == null ? undefined : (JSON.parse(row.stop) as StandingStop)
  }

  const firstAfter: StopStore['firstAfter'] = async (linkId, inboxId) => {
    const out: SendState[] = ['open', 'waiting', 'hurrying', 'sent', 'unsure']
    const row = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', 'in', await idsTogether(db, linkId))
      .where(WRITTEN, '>', inboxId)
      .where('state', 'in', out)
      .orderBy(WRITTEN)
      .orderBy('created_at_ms')
      .orderBy('message_ts')
      .executeTakeFirst()
    return row && toSend(row)
  }

  const answered: StopStore['answered'] = (linkId, inboxId) =>
    write(async (transaction) => {
      await transaction
        .updateTable('links')
        .set({stop: sql<string>`json_set(stop, '$.isAnswered', json('true'))`})
        .where('id', 'in', await idsTogether(transaction, linkId))
        .where(sql<boolean>`${jsonNumber('stop', 'inboxId')} = ${inboxId}`)
        .execute()
    })

  const late: StopStore['late'] = async (linkId) => {
    const rows = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', 'in', await idsTogether(db, linkId))
      .where('state', '=', 'late' satisfies SendState)
      .orderBy('created_at_ms')
      .orderBy('message_ts')
      .execute()
    return rows.map(toSend)
  }

  const settle: StopStore['settle'] = (sends) =>
    write(async (transaction) => {
      const ids = sends.map(({id}) => id)
      await transaction
        .updateTable('sends')
        .set({state: 'sent' satisfies SendState, stopped_by: null})
        .where('id', 'in', ids)
        .where('state', '=', 'late' satisfies SendState)
        .execute()
    })

  const together: StopStore['together'] = (linkId) => idsTogether(db, linkId)

  return {together, begin, newest, firstAfter, answered, late, settle}
}

async function idsTogether(
  db: Kysely<Schema> | Transaction<Schema>,
  linkId: string,
): Promise<string[]> {
  const others = await db
    .selectFrom('links')
    .innerJoin('links as own', (join) =>
      join
        .onRef('own.thread_id', '=', 'links.thread_id')
        .onRef('own.team', '=', 'links.team')
        .on('own.id', '=', linkId),
    )
    .select('links.id')
    .where('links.id', '!=', linkId)
    .where('links.task_id', 'is', null)
    .where('links.state', '!=', 'ended' satisfies LinkState)
    .execute()
  return [linkId, ...others.map(({id}) => id)]
}
