import type {Kysely, Selectable, Updateable} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'

/** Work that somebody asked for and that stands nowhere yet: a question is open, a form, or its own Slack thread. */
export interface Start {
  /** Opaque; it stands in buttons and forms. */
  id: string
  requestId: string
  team: string
  /** Who asked. */
  user: string
  /** What is to be started, and where: plain data. */
  request: unknown
}

type NewStart = Pick<Start, 'requestId' | 'team' | 'user' | 'request'>

export interface StartStore {
  /** The start of this request, made now unless it stands already. */
  open(start: NewStart, nowMs: number): Promise<Start>
  byId(id: string): Promise<Start | undefined>
  /** What was chosen meanwhile. */
  keepRequest(id: string, request: unknown): Promise<void>
  /** False when somebody else acts on it: of two presses one wins, however often it is handled. */
  take(id: string, inboxKey: string): Promise<boolean>
  /** Whoever took it could not act on it. */
  release(id: string): Promise<void>
  byRequest(requestId: string): Promise<Start | undefined>
  /** What asked for it is gone. */
  drop(id: string): Promise<void>
}

export function createStartStore(db: Kysely<Schema>, write: Write): StartStore {
  const set = (id: string, values: Updateable<Schema['starts']>): Promise<void> =>
    write(async (transaction) => {
      await transaction.updateTable('starts').set(values).where('id', '=', id).execute()
    })

  const open: StartStore['open'] = ({requestId, team, user, request}, nowMs) =>
    write(async (transaction) => {
      const row = {id: newId(), team, user, request_id: requestId, wish: JSON.stringify(request)}
      await transaction
        .insertInto('starts')
        .values({...row, made_at_ms: nowMs})
        .onConflict((conflict) => conflict.column('request_id').doNothing())
        .execute()
      const standing = await transaction
        .selectFrom('starts')
        .selectAll()
        .where('request_id', '=', requestId)
        .executeTakeFirstOrThrow()
      return toStart(standing)
    })

  const by = async (column: 'id' | 'request_id', is: string): Promise<Start | undefined> => {
    const row = await db.selectFrom('starts').selectAll().where(column, '=', is).executeTakeFirst()
    return row && toStart(row)
  }

  const take: StartStore['take'] = (id, inboxKey) =>
    write(async (transaction) => {
      const result = await transaction
        .updateTable('starts')
        .set({taken_by: inboxKey})
        .where('id', '=', id)
        .where((eb) => eb.or([eb('taken_by', 'is', null), eb('taken_by', '=', inboxKey)]))
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  return {
    open,
    byId: (id) => by('id', id),
    byRequest: (requestId) => by('request_id', requestId),
    take,
    keepRequest: (id, request) => set(id, {wish: JSON.stringify(request)}),
    release: (id) => set(id, {taken_by: null}),
    drop: (id) =>
      write(async (transaction) => {
        await transaction.deleteFrom('starts').where('id', '=', id).execute()
      }),
  }
}

function toStart(row: Selectable<Schema['starts']>): Start {
  const {id, request_id: requestId, team, user, wish} = row
  return {id, requestId, team, user, request: JSON.parse(wish) as unknown}
}
