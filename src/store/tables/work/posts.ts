import {type Kysely, type Selectable, type Updateable, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'

/**
 * `intended ⇄ placed`, `placed → gone`, `gone → intended`.
 *
 * `intended`: about to be created, or removed; whether Slack has it is known only by looking. `placed`: it stands
 * at `ts`. `gone`: somebody deleted it, or nobody can remove it; what is final is made again.
 */
type PostState = 'intended' | 'placed' | 'gone'

/** The key of a link's card, which every link has, and which is final last. */
export const CARD = 'card'

/** What is known of one message of ours. */
export interface PostRow {
  key: string
  /** The assistant delivery that it shows a part of. */
  delivery: string | undefined
  state: PostState
  ts: string | undefined
  /** Of the content that Slack confirmed last. */
  hash: string | undefined
  /** The content that Slack confirmed is the last one. */
  final: boolean
  /** The preview's text, so that a restart can mark it as interrupted. */
  draft: string | undefined
  /** Slack's id of the file that the message carries. */
  file: string | undefined
  /** It was begun as a native stream, and Slack has not been told yet that it is complete. */
  streaming: boolean
}

/** `hash`: of what is about to be made, where it can't turn out to be anything else: a file. */
type IntendedPost = Pick<PostRow, 'key' | 'delivery' | 'draft'> &
  Partial<Pick<PostRow, 'file' | 'hash' | 'streaming'>>

export interface PostStore {
  /** The posts that may still change: previews, open intents, and whatever is no reply, such as the card. */
  unsettled(linkId: string): Promise<PostRow[]>
  ofDelivery(linkId: string, delivery: string): Promise<PostRow[]>
  /** The same of the link that a room was opened from; none where this link stands in no room. */
  ofOrigin(roomLinkId: string, delivery: string): Promise<PostRow[]>
  /** The `ts` of every message of ours in this place. */
  knownTs(linkId: string): Promise<Set<string>>
  /** The link whose message of ours stands there; `unsettled`: one of the channel may be, and is not confirmed yet. */
  linkAt(message: {
    team: string
    channel: string
    ts: string
  }): Promise<{id: string} | 'unsettled' | undefined>
  /** Before the call goes out. */
  intend(linkId: string, post: IntendedPost, nowMs: number): Promise<void>
  /** After Slack confirmed a creation or an edit. */
  confirm(
    linkId: string,
    post: Omit<PostRow, 'state' | 'delivery' | 'file' | 'streaming'>,
  ): Promise<void>
  /** Slack streams it no longer, and takes edits of it. */
  endStream(linkId: string, key: string): Promise<void>
  markGone(linkId: string, key: string): Promise<void>
  /** The message was removed, or it is known that it was never created. */
  forget(linkId: string, key: string): Promise<void>
}

export function createPostStore(db: Kysely<Schema>, write: Write): PostStore {
  const ofLink = (linkId: string) =>
    db.selectFrom('posts').selectAll().where('link_id', '=', linkId)

  const unsettled = async (linkId: string): Promise<PostRow[]> => {
    const rows = await ofLink(linkId)
      .where((eb) => eb.or([eb('final', '=', 0), eb('delivery', 'is', null)]))
      .orderBy('key')
      .execute()
    return rows.map(toPostRow)
  }

  const ofDelivery = async (linkId: string, delivery: string): Promise<PostRow[]> => {
    const rows = await ofLink(linkId).where('delivery', '=', delivery).execute()
    return rows.map(toPostRow)
  }

  const ofOrigin = async (roomLinkId: string, delivery: string): Promise<PostRow[]> => {
    const rows = await db
      .selectFrom('rooms')
      .innerJoin('posts', 'posts.link_id', 'rooms.link_id')
      .selectAll('posts')
      .where('rooms.room_link_id', '=', roomLinkId)
      .where('posts.delivery', '=', delivery)
      .execute()
    return rows.map(toPostRow)
  }

  const knownTs = async (linkId: string): Promise<Set<string>> => {
    const rows = await ofLink(linkId).where('ts', 'is not', null).execute()
    return new Set(rows.flatMap(({ts}) => ts ?? []))
  }

  const linkAt: PostStore['linkAt'] = async ({team, channel, ts}) => {
    // Joined with nothing, they keep SQLite from looking through all links of the channel for the few posts.
    const inChannel = db
      .selectFrom('links')
      .innerJoin('posts', 'posts.link_id', 'links.id')
      .select('links.id')
      .where(sql<string>`links.team || ''`, '=', team)
      .where(sql<string>`links.channel || ''`, '=', channel)
    const intended: PostState = 'intended'
    // In the very words of the index that holds these alone. What is confirmed between the two looks is seen by the second one.
    const open = await inChannel.where('posts.state', '=', sql.lit(intended)).executeTakeFirst()
    const row = await inChannel.where('posts.ts', '=', ts).executeTakeFirst()
    return row ?? (open && 'unsettled')
  }

  const intend: PostStore['intend'] = (
    linkId,
    {key, delivery, draft, file, hash, streaming},
    nowMs,
  ) =>
    write(async (transaction) => {
      const state: PostState = 'intended'
      const fresh = {
        state,
        ts: null,
        hash: hash ?? null,
        final: 0,
        draft: draft ?? null,
        file: file ?? null,
        streaming: streaming === true ? 1 : 0,
        intended_at_ms: nowMs,
      }
      await transaction
        .insertInto('posts')
        .values({link_id: linkId, key, delivery: delivery ?? null, ...fresh})
        .onConflict((conflict) => conflict.columns(['link_id', 'key']).doUpdateSet(fresh))
        .execute()
    })

  const change = (linkId: string, key: string, to: Updateable<Schema['posts']>): Promise<void> =>
    write(async (transaction) => {
      await transaction
        .updateTable('posts')
        .set(to)
        .where('link_id', '=', linkId)
        .where('key', '=', key)
        .execute()
    })

  const confirm: PostStore['confirm'] = (linkId, {key, ts, hash, final, draft}) => {
    const said = {ts: ts ?? null, hash: hash ?? null, final: Number(final), draft: draft ?? null}
    return change(linkId, key, {state: 'placed' satisfies PostState, ...said})
  }

  const forget: PostStore['forget'] = (linkId, key) =>
    write(async (transaction) => {
      await transaction
        .deleteFrom('posts')
        .where('link_id', '=', linkId)
        .where('key', '=', key)
        .execute()
    })

  return {
    unsettled,
    ofDelivery,
    ofOrigin,
    knownTs,
    linkAt,
    intend,
    confirm,
    endStream: (linkId, key) => change(linkId, key, {streaming: 0}),
    markGone: (linkId, key) => change(linkId, key, {state: 'gone' satisfies PostState}),
    forget,
  }
}

function toPostRow(row: Selectable<Schema['posts']>): PostRow {
  return {
    key: row.key,
    delivery: row.delivery ?? undefined,
    state: row.state as PostState,
    ts: row.ts ?? undefined,
    hash: row.hash ?? undefined,
    final: row.final === 1,
    draft: row.draft ?? undefined,
    file: row.file ?? undefined,
    streaming: row.streaming === 1,
  }
}
