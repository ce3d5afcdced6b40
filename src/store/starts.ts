import type {Kysely, Selectable, Updateable} from 'kysely'
import type {Schema} from './database/schema.ts'
import type {Write} from './database/writer.ts'
import {newId} from './new-id.ts'

/** Work that somebody asked for and that stands nowhere yet: a question is open, a form, or its own Slack thread. */
export interface Start {
  /** Opaque; it stands in buttons and forms. */
  id: string
  requestId: string
  team: string
  /** Who asked. */
  user: string
  /** What is to be started, and where: plain data. */
  wish: unknown
  /** The message of ours that its Slack thread hangs on: `posting` from before the call. */
  opening: {state: 'none'} | {state: 'posting'; soughtAtMs: number | undefined} | Posted
  madeAtMs: number
}

interface Posted {
  state: 'posted'
  ts: string
}

type NewStart = Pick<Start, 'requestId' | 'team' | 'user' | 'wish'>

export interface StartStore {
  /** The start of this request, made now unless it stands already. */
  open(start: NewStart, nowMs: number): Promise<Start>
  byId(id: string): Promise<Start | undefined>
  /** What was chosen meanwhile. */
  keepWish(id: string, wish: unknown): Promise<void>
  /** False when somebody else acts on it: of two presses one wins, however often it is handled. */
  take(id: string, inboxKey: string): Promise<boolean>
  /** Whoever took it could not act on it. */
  release(id: string): Promise<void>
  /** False: it was about to be posted before, so that it may stand already. */
  intendOpening(id: string): Promise<boolean>
  confirmOpening(id: string, ts: string): Promise<void>
  /** Since when it is looked for in vain. */
  missOpening(id: string, sinceMs: number | undefined): Promise<void>
  /** It surely does not stand, and may be posted. */
  dropOpening(id: string): Promise<void>
}

export function createStartStore(db: Kysely<Schema>, write: Write): StartStore {
  const set = (id: string, values: Updateable<Schema['starts']>): Promise<void> =>
    write(async (transaction) => {
      await transaction.updateTable('starts').set(values).where('id', '=', id).execute()
    })

  const open: StartStore['open'] = ({requestId, team, user, wish}, nowMs) =>
    write(async (transaction) => {
      const id = newId()
      await transaction
        .insertInto('starts')
        .values({
          ...{id, team, user},
          ...{request_id: requestId, wish: JSON.stringify(wish), made_at_ms: nowMs},
        })
        .onConflict((conflict) => conflict.column('request_id').doNothing())
        .execute()
      const row = await transaction
        .selectFrom('starts')
        .selectAll()
        .where('request_id', '=', requestId)
        .executeTakeFirstOrThrow()
      return toStart(row)
    })

  const byId = async (id: string): Promise<Start | undefined> => {
    const row = await db.selectFrom('starts').selectAll().where('id', '=', id).executeTakeFirst()
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

  const intendOpening: StartStore['intendOpening'] = (id) =>
    write(async (transaction) => {
      const result = await transaction
        .updateTable('starts')
        .set({opening: ''})
        .where('id', '=', id)
        .where('opening', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  return {
    ...{open, byId, take, intendOpening},
    keepWish: (id, wish) => set(id, {wish: JSON.stringify(wish)}),
    release: (id) => set(id, {taken_by: null}),
    confirmOpening: (id, ts) => set(id, {opening: ts, sought_at_ms: null}),
    missOpening: (id, sinceMs) => set(id, {sought_at_ms: sinceMs ?? null}),
    dropOpening: (id) => set(id, {opening: null, sought_at_ms: null}),
  }
}

function toStart(row: Selectable<Schema['starts']>): Start {
  return {
    id: row.id,
    requestId: row.request_id,
    team: row.team,
    user: row.user,
    wish: JSON.parse(row.wish) as unknown,
    opening: toOpening(row),
    madeAtMs: row.made_at_ms,
  }
}

function toOpening({opening, sought_at_ms}: Selectable<Schema['starts']>): Start['opening'] {
  if (opening === null) return {state: 'none'}
  if (opening === '') return {state: 'posting', soughtAtMs: sought_at_ms ?? undefined}
  return {state: 'posted', ts: opening}
}
