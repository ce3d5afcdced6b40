import {type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'
import {type QuestionWords, ask, unaskUnseen} from './questions.ts'
import {type NewRoomView, putRoomView} from './room-views.ts'

/**
 * `wanted ⇄ intended`, once for each of its messages, then `placed`; or `wanted` with a reason, then `refused`, which is
 * wanted once more when it is asked for again.
 *
 * `wanted`: its next message is to be posted; with a reason, Slack does not take it, and somebody is to hear that.
 * `intended`: about to be posted; whether Slack has it is known only by its answer or by looking. `placed`: all of it
 * stands. `refused`: Slack does not take it, and that is told.
 */
type AgentPostState = 'wanted' | 'intended' | 'placed' | 'refused'

/** What code on an agent's machine wants to be shown in the place of its link. */
export interface AgentPost {
  id: string
  linkId: string
  state: AgentPostState
  /** How many of its messages stand. */
  step: number
  /** Empty where there is none, or none any more. */
  text: string
  file: PostedFile | undefined
  /** Files that Slack has, and that nobody sees yet: shown in one message. */
  uploads: readonly Upload[]
  /** Slack's id of the file that is about to be shown. */
  slackFile: string | undefined
  /** Slack's word for why it does not take it. */
  reason: string | undefined
}

/** A file that was sent to Slack. */
export interface Upload {
  /** Slack's. */
  id: string
  name: string
}

export interface PostedFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

interface NewAgentPost {
  linkId: string
  /** The sender's own: what bears the same one is the same post. */
  key: string | undefined
  /** Of all that is to be shown. */
  digest: string
  text: string
  file: PostedFile | undefined
  uploads?: readonly Upload[]
  /** It is a question with buttons: {@link QuestionStore} has it under the id of the post. */
  question?: QuestionWords | undefined
  /** What of its files stands in the room of its link, too. */
  views?: readonly NewRoomView[]
}

/** `other`: the key was used for something else. `too-many`: the newest ones of the link stand too close. */
type Added = {outcome: 'added'; post: AgentPost} | {outcome: 'other' | 'too-many'}

export interface AgentPostStore {
  /** The post with this key, made now unless it is known; at most so many new ones of a link since then. */
  add(post: NewAgentPost, limit: {most: number; sinceMs: number}, nowMs: number): Promise<Added>
  byId(id: string): Promise<AgentPost | undefined>
  /** What would become of a post with this key: it is `known` and not refused, there is `room` for a new one, or not. */
  expect(
    of: Pick<NewAgentPost, 'linkId' | 'key'>,
    limit: {most: number; sinceMs: number},
  ): Promise<'known' | 'room' | 'too-many'>
  /** Those of the workspace that do not stand yet, oldest first. */
  due(team: string): Promise<Pick<AgentPost, 'id' | 'linkId'>[]>
  /** Its next message is about to be posted. */
  intend(id: string, slackFile?: string): Promise<void>
  /** That message was not made. */
  want(id: string): Promise<void>
  /** That message stands. */
  confirm(id: string): Promise<void>
  /** All of it stands: only its key is kept. */
  end(id: string): Promise<void>
  /** Slack does not take it, in its words: only its key is kept, and it stays due until that is told. */
  refuse(id: string, reason: string): Promise<void>
  /** What Slack refused is told from now on. False: it was told before, or is not refused. */
  tell(id: string): Promise<boolean>
}

const OPEN: readonly AgentPostState[] = ['wanted', 'intended']
const CONTENTLESS = {
  ...{text: null, file_name: null, file_bytes: null},
  ...{uploads: null, slack_file: null},
}
/** So many are looked at in one go. */
const AT_ONCE = 200
/** The new ones of a minute are counted, by clocks that need not be the same. */
const COUNTED_MS = 120_000

type Change = Partial<Selectable<Schema['agent_posts']>> & {state: AgentPostState}

export function createAgentPostStore(db: Kysely<Schema>, write: Write): AgentPostStore {
  const add: AgentPostStore['add'] = (post, {most, sinceMs}, nowMs) =>
    write(async (transaction) => {
      const {linkId, key, digest, text, file, uploads, question: words, views = []} = post
      const content = {
        ...{text, file_name: file?.name ?? null, file_bytes: file?.bytes ?? null},
        uploads: uploads === undefined ? null : JSON.stringify(uploads),
      }
      const wanted: AgentPostState = 'wanted'
      if (key !== undefined) {
        const known = await ofKey(transaction, linkId, key)
        if (known !== undefined && known.digest !== digest) return {outcome: 'other'}
        if (known !== undefined && known.state !== ('refused' satisfies AgentPostState)) {
          return {outcome: 'added', post: toPost(known)}
        }
        if (known !== undefined) {
          if (words !== undefined) await ask(transaction, {id: known.id, linkId, words}, nowMs)
          await putViews(transaction, linkId, views, nowMs)
          const again = await transaction
            .updateTable('agent_posts')
            .set({...content, state: wanted, reason: null})
            .where('id', '=', known.id)
            .returningAll()
            .executeTakeFirstOrThrow()
          return {outcome: 'added', post: toPost(again)}
        }
      }
      if ((await countSince(transaction, linkId, sinceMs)) >= most) return {outcome: 'too-many'}
      const id = newId()
      const row = {id, link_id: linkId, key: key ?? id, digest, made_at_ms: nowMs}
      const added = await transaction
        .insertInto('agent_posts')
        .values({...row, ...content, state: wanted})
        .returningAll()
        .executeTakeFirstOrThrow()
      if (words !== undefined) await ask(transaction, {id, linkId, words}, nowMs)
      await putViews(transaction, linkId, views, nowMs)
      return {outcome: 'added', post: toPost(added)}
    })

  const byId: AgentPostStore['byId'] = async (id) => {
    const query = db.selectFrom('agent_posts').selectAll().where('id', '=', id)
    const row = await query.executeTakeFirst()
    return row && toPost(row)
  }

  const expect: AgentPostStore['expect'] = async ({linkId, key}, {most, sinceMs}) => {
    const known = key === undefined ? undefined : await ofKey(db, linkId, key)
    if (known !== undefined) {
      return known.state === ('refused' satisfies AgentPostState) ? 'room' : 'known'
    }
    return (await countSince(db, linkId, sinceMs)) >= most ? 'too-many' : 'room'
  }

  const due: AgentPostStore['due'] = async (team) => {
    const rows = await db
      .selectFrom('agent_posts')
      .innerJoin('links', 'links.id', 'agent_posts.link_id')
      .select(['agent_posts.id', 'agent_posts.link_id'])
      // Joined with nothing, it keeps SQLite from looking through all links of the workspace for them.
      .where(sql<string>`links.team || ''`, '=', team)
      // In the very words of the index that holds these alone.
      .where(sql<boolean>`agent_posts.state in ('wanted', 'intended')`)
      .orderBy('agent_posts.made_at_ms')
      .limit(AT_ONCE)
      .execute()
    return rows.map((row) => ({id: row.id, linkId: row.link_id}))
  }

  const openOne = (transaction: Transaction<Schema>, id: string) =>
    transaction.updateTable('agent_posts').where('id', '=', id).where('state', 'in', OPEN)

  const move = (id: string, change: Change): Promise<void> =>
    write(async (transaction) => {
      await openOne(transaction, id).set(change).execute()
    })

  const confirm: AgentPostStore['confirm'] = (id) =>
    write(async (transaction) => {
      await transaction
        .updateTable('agent_posts')
        .set(({eb}) => ({
          step: eb('step', '+', 1),
          slack_file: null,
          state: 'wanted' satisfies AgentPostState,
        }))
        .where('id', '=', id)
        .where('state', '=', 'intended' satisfies AgentPostState)
        .execute()
    })

  const tell: AgentPostStore['tell'] = (id) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await openOne(transaction, id)
        .set({state: 'refused' satisfies AgentPostState})
        .where('reason', 'is not', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })

  return {
    add,
    byId,
    expect,
    due,
    confirm,
    tell,
    end: (id) => move(id, {...CONTENTLESS, state: 'placed'}),
    refuse: (id, reason) =>
      write(async (transaction) => {
        const change: Change = {...CONTENTLESS, state: 'wanted', reason}
        await openOne(transaction, id).set(change).execute()
        await unaskUnseen(transaction, id)
      }),
    intend: (id, slackFile) => move(id, {state: 'intended', slack_file: slackFile ?? null}),
    want: (id) => move(id, {state: 'wanted', slack_file: null}),
  }
}

async function putViews(
  transaction: Transaction<Schema>,
  linkId: string,
  views: readonly NewRoomView[],
  nowMs: number,
): Promise<void> {
  for (const view of views) await putRoomView(transaction, linkId, view, nowMs)
}

type Reader = Pick<Kysely<Schema>, 'selectFrom'>

/** Work that has moved into a room has another link there, and what bears the key may stand where it was before. */
async function ofKey(db: Reader, linkId: string, key: string) {
  const own = db.selectFrom('links').where('id', '=', linkId)
  const ofWork = db
    .selectFrom('links')
    .select('links.id')
    .where('team', '=', own.select('team'))
    .where('thread_id', '=', own.select('thread_id'))
  const rows = await db
    .selectFrom('agent_posts')
    .selectAll()
    .where('key', '=', key)
    .where((eb) => eb.or([eb('link_id', '=', linkId), eb('link_id', 'in', ofWork)]))
    .execute()
  // There are two where both were made before keys counted for all of the work.
  return rows.toSorted((one, other) => one.made_at_ms - other.made_at_ms)[0]
}

async function countSince(db: Reader, linkId: string, sinceMs: number): Promise<number> {
  const {count} = await db
    .selectFrom('agent_posts')
    .select(({fn}) => fn.countAll<number>().as('count'))
    .where('link_id', '=', linkId)
    .where('made_at_ms', '>', sinceMs)
    // What is further ahead was written by a clock that was wrong.
    .where('made_at_ms', '<', sinceMs + COUNTED_MS)
    .executeTakeFirstOrThrow()
  return count
}

function toPost(row: Selectable<Schema['agent_posts']>): AgentPost {
  const {file_name: name, file_bytes: bytes} = row
  return {
    id: row.id,
    linkId: row.link_id,
    state: row.state as AgentPostState,
    step: row.step,
    text: row.text ?? '',
    file: name === null || bytes === null ? undefined : {name, bytes: new Uint8Array(bytes)},
    uploads: row.uploads === null ? [] : (JSON.parse(row.uploads) as Upload[]),
    slackFile: row.slack_file ?? undefined,
    reason: row.reason ?? undefined,
  }
}
