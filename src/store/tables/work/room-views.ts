import {createHash} from 'node:crypto'
import type {Kysely, Transaction} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'

/** `html`: a page, one for each name. `diff`: there is one. `plan`: what the agent last said it will do; there is one. */
type RoomViewKind = 'html' | 'diff' | 'plan'

/** What somebody has made for the room of a link, in its newest form. */
export interface RoomView {
  kind: RoomViewKind
  /** Of the file that it came as. */
  name: string
  /** Of its content. */
  digest: string
  /** Its content is here. */
  isKept: boolean
}

export interface NewRoomView {
  kind: RoomViewKind
  name: string
  content: string
}

export interface RoomViewStore {
  /** Those of a link, newest first. */
  of(linkId: string): Promise<RoomView[]>
  put(linkId: string, view: NewRoomView, nowMs: number): Promise<void>
  contentOf(linkId: string, view: Pick<RoomView, 'kind' | 'name'>): Promise<string | undefined>
  /** Slack has it, or will not: what it was is not kept any longer, unless it is another one by now. */
  settle(linkId: string, view: Pick<RoomView, 'kind' | 'name' | 'digest'>): Promise<void>
}

/** As many views as Slack shows. */
const MOST_PAGES = 5

export function createRoomViewStore(db: Kysely<Schema>, write: Write): RoomViewStore {
  const of: RoomViewStore['of'] = async (linkId) => {
    const rows = await db
      .selectFrom('room_views')
      .select(({eb}) => [
        ...(['key', 'name', 'digest'] as const),
        eb('content', 'is not', null).as('is_kept'),
      ])
      .where('link_id', '=', linkId)
      .orderBy('made_at_ms', 'desc')
      .orderBy('key')
      .execute()
    return rows.map(({key, name, digest, is_kept: isKept}) => {
      const kind = kindOf(key)
      return {kind, name, digest, isKept: Boolean(isKept)}
    })
  }

  const contentOf: RoomViewStore['contentOf'] = async (linkId, view) => {
    const row = await db
      .selectFrom('room_views')
      .select('content')
      .where('link_id', '=', linkId)
      .where('key', '=', keyOf(view))
      .executeTakeFirst()
    return row?.content ?? undefined
  }

  const settle: RoomViewStore['settle'] = (linkId, view) =>
    write(async (transaction) => {
      await transaction
        .updateTable('room_views')
        .set({content: null})
        .where('link_id', '=', linkId)
        .where('key', '=', keyOf(view))
        .where('digest', '=', view.digest)
        .execute()
    })

  return {
    of,
    contentOf,
    settle,
    put: (linkId, view, nowMs) =>
      write((transaction) => putRoomView(transaction, linkId, view, nowMs)),
  }
}

/** In the place of what bore its name; of pages there are so many at most, and the oldest goes. */
export async function putRoomView(
  transaction: Transaction<Schema>,
  linkId: string,
  view: NewRoomView,
  nowMs: number,
): Promise<void> {
  const {kind, name, content} = view
  const digest = createHash('sha256')
    .update(JSON.stringify([name, content]))
    .digest('base64url')
  const row = {name, digest, content, made_at_ms: nowMs}
  await transaction
    .insertInto('room_views')
    .values({link_id: linkId, key: keyOf(view), ...row})
    .onConflict((conflict) => conflict.columns(['link_id', 'key']).doUpdateSet(row))
    .execute()
  if (kind !== 'html') return
  const newest = transaction
    .selectFrom('room_views')
    .select('key')
    .where('link_id', '=', linkId)
    .where('key', 'like', 'html:%')
    .orderBy('made_at_ms', 'desc')
    .orderBy('key')
    .limit(MOST_PAGES)
  await transaction
    .deleteFrom('room_views')
    .where('link_id', '=', linkId)
    .where('key', 'like', 'html:%')
    .where('key', 'not in', newest)
    .execute()
}

function keyOf({kind, name}: Pick<RoomView, 'kind' | 'name'>): string {
  return kind === 'html' ? `html:${name}` : kind
}

function kindOf(key: string): RoomViewKind {
  if (key.startsWith('html:')) return 'html'
  return key === 'diff' ? 'diff' : 'plan'
}
