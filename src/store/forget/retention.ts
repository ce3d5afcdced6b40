import {type Expression, type ExpressionBuilder, type Kysely, type Transaction, sql} from 'kysely'
import {
  type AnnouncementState,
  DIGEST,
  type Ending,
  HOOK_RECEIPT,
  RULE,
  WELCOME,
} from '../tables/channels/announcement.ts'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'
import {forgetSaid} from '../tables/pull-requests/pull-requests.ts'
import {FOLLOWED} from '../tables/work/link.ts'
import {IS_AT_REST} from '../tables/work/link-rows.ts'
import {markPrivate} from '../tables/work/private-marks.ts'

/**
 * Whether what was begun in a place is nobody else's business by now: once its rows are gone, nobody can ask. `undefined`: nobody
 * says now, and its rows stay for this time.
 */
type IsClosed = (place: {team: string; channel: string}) => Promise<boolean | undefined>

/** Deletes what has served its time; each call some of it, so that nobody waits for long. */
export interface RetentionStore {
  /** What was delivered before then and has been handled; how many. */
  forgetInbox(beforeMs: number): Promise<number>
  /** Work that came to rest before then, with all that belongs to it, oldest first: the ids of some, and of some more. */
  forgetLinks(beforeMs: number, isClosed: IsClosed): AsyncIterable<string[]>
  /** Messages in channels whose state is over; how many. */
  forgetAnnouncements(beforeMs: number): Promise<number>
  /** What was asked for and never begun, and the files of it. */
  forgetStarts(beforeMs: number): Promise<void>
  /** Which work hooks began, and that of closed places stays private: the same. */
  forgetRuns(beforeMs: number, isClosed: IsClosed): AsyncIterable<string[]>
  /** Days of digests that were over before then. */
  forgetDigests(beforeMs: number): Promise<void>
  /** Links in messages whose previews change no more. */
  forgetUnfurls(beforeMs: number): Promise<void>
  /** What one owner of a workspace leaves to the next, and links that have installed the app. */
  forgetHandovers(beforeMs: number): Promise<void>
  forgetAudit(beforeMs: number): Promise<number>
  /** Messages that told of deliveries to hooks; how many. */
  forgetReceipts(beforeMs: number): Promise<number>
  /** What work has cost that is over, and what was told of budgets: with each step some more of it is looked at. */
  forgetSpendings(beforeMs: number): AsyncIterable<void>
  /** Deliveries to hooks that are in no log any more; how many. */
  forgetDeliveries(beforeMs: number): Promise<number>
  /** The bodies of deliveries that were given up before then; how many. */
  forgetDeadLetters(beforeMs: number): Promise<number>
  /** What was said of pull requests that nobody here has named, and of commits that are the newest of none of those: the same. */
  forgetPullRequests(beforeMs: number): AsyncIterable<void>
  /** What rules decided of messages, so long that it counts no more. */
  forgetAlerts(beforeMs: number): Promise<number>
  /** Steps of workflows that asked for an agent before then; nobody waits for those any more. */
  forgetExecutions(beforeMs: number): Promise<void>
  /** The keys of what code on agents' machines has posted. */
  forgetAgentPosts(beforeMs: number): Promise<void>
}

const AT_ONCE = 50
/** What is only looked at: so many rows of a table. */
const SLICE = 500

/** What lies between two moments, the first one included. */
interface Slice {
  fromMs: number
  beforeMs: number
}

const over: AnnouncementState[] = ['over', 'gone']
/** Not by the index of states: what is old is found by its age. */
const OLD_STATE = sql<AnnouncementState>`(old.state || '')`

export function createRetentionStore(db: Kysely<Schema>, write: Write): RetentionStore {
  const oldLinks = (of: Pick<Kysely<Schema>, 'selectFrom'>, beforeMs: number) =>
    of
      .selectFrom('links')
      .where(IS_AT_REST)
      .where('status_since_ms', '<', beforeMs)
      .where('created_at_ms', '<', beforeMs)
      .where((eb) =>
        eb.not(
          eb.or([
            eb.exists(
              eb
                .selectFrom('posts')
                .select('key')
                .whereRef('posts.link_id', '=', 'links.id')
                .where('posts.intended_at_ms', '>=', beforeMs),
            ),
            eb.exists(
              eb
                .selectFrom('sends')
                .select('sends.id')
                .whereRef('sends.link_id', '=', 'links.id')
                .where('sends.created_at_ms', '>=', beforeMs),
            ),
          ]),
        ),
      )

  const oldLinksBehind = ({atMs, id}: PartStart, beforeMs: number) =>
    oldLinks(db, beforeMs)
      .select(['id', 'thread_id', 'task_id', 'request_id', 'team', 'channel'])
      .select('status_since_ms as at_ms')
      .where(sql<boolean>`(status_since_ms, id) > (${atMs}, ${id})`)
      .orderBy('status_since_ms')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()

  const forgetLinks: RetentionStore['forgetLinks'] = (beforeMs, isClosed) =>
    partByPart(
      (from) => oldLinksBehind(from, beforeMs),
      async (part) => {
        const found = await judge(part, isClosed)
        return write(async (transaction) => {
          // Some may have been taken up again meanwhile.
          const rows = await oldLinks(transaction, beforeMs)
            .select('id')
            .where('id', 'in', [...found.keys()])
            .execute()
          const ids = rows.map(({id}) => id)
          for (const id of ids) {
            const threadId = found.get(id)
            if (threadId !== undefined) await markPrivate(transaction, threadId)
          }
          await deleteLinks(transaction, ids)
          return ids
        })
      },
    )

  const forgetRuns: RetentionStore['forgetRuns'] = (beforeMs, isClosed) =>
    partByPart(
      ({atMs, id}) =>
        db
          .selectFrom('runs')
          .select(['id', 'thread_id', 'team', 'channel', 'begun_at_ms as at_ms'])
          .where('begun_at_ms', '<', beforeMs)
          .where('due_at_ms', 'is', null)
          .where(sql<boolean>`(begun_at_ms, id) > (${atMs}, ${id})`)
          .orderBy('begun_at_ms')
          .orderBy('id')
          .limit(AT_ONCE)
          .execute(),
      async (part) => {
        const found = await judge(part, isClosed)
        const ids = [...found.keys()]
        await write(async (transaction) => {
          for (const threadId of found.values()) {
            if (threadId !== undefined) await markPrivate(transaction, threadId)
          }
          await transaction.deleteFrom('runs').where('id', 'in', ids).execute()
        })
        return ids
      },
    )

  /** Goes through what is that old, a slice in each step: most of it may stay. */
  const bySlices = async function* (
    table: 'spendings' | 'budget_notes' | 'pull_requests' | 'commit_checks',
    column: 'risen_at_ms' | 'made_at_ms' | 'changed_at_ms',
    beforeMs: number,
    forget: (transaction: Transaction<Schema>, slice: Slice) => Promise<void>,
  ): AsyncGenerator<void, void> {
    for (let fromMs = 0; fromMs < beforeMs;) {
      const {rows} = await sql<{at_ms: number}>`select ${sql.ref(column)} as at_ms
        from ${sql.table(table)} where ${sql.ref(column)} >= ${fromMs} and ${sql.ref(column)} < ${beforeMs}
        order by ${sql.ref(column)} limit 1 offset ${SLICE}`.execute(db)
      // However many are of one moment, they are looked at together.
      const endMs = rows[0] === undefined ? beforeMs : Math.max(rows[0].at_ms, fromMs + 1)
      const slice = {fromMs, beforeMs: endMs}
      await write((transaction) => forget(transaction, slice))
      yield
      fromMs = endMs
    }
  }

  const forgetSpendings: RetentionStore['forgetSpendings'] = async function* (untilMs) {
    yield* bySlices('spendings', 'risen_at_ms', untilMs, async (transaction, slice) => {
      await transaction
        .deleteFrom('spendings')
        .where('risen_at_ms', '>=', slice.fromMs)
        .where('risen_at_ms', '<', slice.beforeMs)
        // Of work that may go on all counts.
        .where((eb) => {
          const links = eb.selectFrom('links').select('links.id')
          return eb.not(eb.exists(links.whereRef('links.thread_id', '=', 'spendings.thread_id')))
        })
        .execute()
    })
    yield* bySlices('budget_notes', 'made_at_ms', untilMs, async (transaction, slice) => {
      await transaction
        .deleteFrom('budget_notes')
        .where('made_at_ms', '>=', slice.fromMs)
        .where('made_at_ms', '<', slice.beforeMs)
        .where((eb) => {
          const links = eb.selectFrom('links').select('links.id')
          return eb.not(eb.exists(links.whereRef('links.id', '=', 'budget_notes.link_id')))
        })
        .execute()
    })
  }

  /** How many have gone. */
  const forgetOld = (
    table: 'inbox' | 'announcements' | 'deliveries' | 'audit' | 'alerts',
    chosen: (db: Transaction<Schema>) => Expression<unknown>,
  ): Promise<number> =>
    write(async (transaction) => {
      const old = chosen(transaction)
      const gone = await sql`delete from ${sql.table(table)} where id in ${old}`.execute(
        transaction,
      )
      return Number(gone.numAffectedRows)
    })

  const forgetAnnouncements: RetentionStore['forgetAnnouncements'] = (beforeMs) => {
    return forgetOld('announcements', (db) =>
      db
        .selectFrom('announcements as old')
        .select('old.id')
        .where((of) =>
          of.or([of(OLD_STATE, 'in', over), isLeft(of), isBareHead(of), isUnanswered(of)]),
        )
        // Whoever has been welcomed is not welcomed once more.
        .where('old.status', 'is not', WELCOME)
        .where('old.made_at_ms', '<', beforeMs)
        // Nobody wants to hear of that thread, and it may still be in a state that is told.
        .where((of) =>
          of.not(
            of.and([
              of('old.ended_by', 'is', 'hushed' satisfies Ending),
              of.exists(
                of
                  .selectFrom('sightings')
                  .select('sightings.thread_id')
                  .whereRef('sightings.thread_id', '=', 'old.thread_id'),
              ),
            ]),
          ),
        )
        .orderBy('old.made_at_ms')
        .limit(AT_ONCE),
    )
  }

  return {
    forgetInbox: (beforeMs) =>
      forgetOld('inbox', (db) =>
        db
          .selectFrom('inbox')
          .select('id')
          .where('state', '!=', 'open')
          .where('received_at_ms', '<', beforeMs)
          .orderBy('id')
          .limit(20 * AT_ONCE),
      ),
    forgetLinks,
    forgetAnnouncements,
    forgetDeliveries: (beforeMs) =>
      forgetOld('deliveries', (db) =>
        db
          .selectFrom('deliveries')
          .select('id')
          .where('received_at_ms', '<', beforeMs)
          .where('due_at_ms', 'is', null)
          .where('body', 'is', null)
          .limit(20 * AT_ONCE),
      ),
    forgetDeadLetters: (beforeMs) =>
      write(async (transaction) => {
        const old = transaction
          .selectFrom('deliveries')
          .select('id')
          .where('given_up_at_ms', '<', beforeMs)
          .limit(AT_ONCE)
        const {numUpdatedRows} = await transaction
          .updateTable('deliveries')
          .set({given_up_at_ms: null, body: null})
          .where('id', 'in', old)
          .executeTakeFirst()
        return Number(numUpdatedRows)
      }),
    forgetStarts: (beforeMs) =>
      write(async (transaction) => {
        await transaction.deleteFrom('starts').where('made_at_ms', '<', beforeMs).execute()
        await transaction
          .deleteFrom('shared_files')
          .where('shared_at_ms', '<', beforeMs)
          .where((eb) => {
            const links = eb.selectFrom('links').select('links.id')
            return eb.not(
              eb.exists(links.whereRef('links.request_id', '=', 'shared_files.request_id')),
            )
          })
          .execute()
      }),
    forgetRuns,
    forgetAgentPosts: (beforeMs) =>
      write(async (transaction) => {
        await transaction
          .deleteFrom('agent_posts')
          .where('state', 'in', ['placed', 'refused'])
          .where('made_at_ms', '<', beforeMs)
          .execute()
      }),
    forgetDigests: (beforeMs) =>
      write(async (transaction) => {
        await transaction.deleteFrom('digest_days').where('until_ms', '<', beforeMs).execute()
        await transaction
          .deleteFrom('announcements')
          .where('status', '=', DIGEST)
          .where('state', 'in', ['over', 'gone'] satisfies AnnouncementState[])
          .where('made_at_ms', '<', beforeMs)
          .execute()
      }),
    forgetExecutions: (beforeMs) =>
      write(async (transaction) => {
        await transaction.deleteFrom('executions').where('asked_at_ms', '<', beforeMs).execute()
      }),
    forgetUnfurls: (beforeMs) =>
      write(async (transaction) => {
        await transaction.deleteFrom('unfurls').where('noted_at_ms', '<', beforeMs).execute()
      }),
    forgetHandovers: (beforeMs) =>
      write(async (transaction) => {
        await transaction.deleteFrom('silences').where('until_ms', '<', beforeMs).execute()
        await transaction.deleteFrom('confessions').where('made_at_ms', '<', beforeMs).execute()
        await transaction.deleteFrom('used_states').where('used_at_ms', '<', beforeMs).execute()
      }),
    forgetReceipts: (beforeMs) =>
      forgetOld('announcements', (db) =>
        db
          .selectFrom('announcements as old')
          .select('old.id')
          .where('old.made_at_ms', '<', beforeMs)
          // In the very words of the index that holds these alone.
          .where('old.status', '=', sql.lit(HOOK_RECEIPT))
          .where(OLD_STATE, 'in', over)
          .orderBy('old.made_at_ms')
          .limit(20 * AT_ONCE),
      ),
    forgetSpendings,
    forgetPullRequests: async function* (beforeMs) {
      for (const table of ['pull_requests', 'commit_checks'] as const) {
        yield* bySlices(table, 'changed_at_ms', beforeMs, (transaction, slice) =>
          forgetSaid(transaction, table, slice),
        )
      }
    },
    forgetAlerts: (beforeMs) =>
      forgetOld('alerts', (db) =>
        db
          .selectFrom('alerts')
          .select('id')
          .where('at_ms', '<', beforeMs)
          .limit(20 * AT_ONCE),
      ),
    forgetAudit: (beforeMs) =>
      forgetOld('audit', (db) =>
        db
          .selectFrom('audit')
          .select('id')
          .where('at_ms', '<', beforeMs)
          .orderBy('at_ms')
          .limit(20 * AT_ONCE),
      ),
  }
}

/** Work with its place; `at_ms`: since when it rests, or when it was begun, by which it is walked through. */
interface Begun {
  id: string
  at_ms: number
  thread_id: string | null
  task_id?: string | null
  request_id?: string
  team: string
  channel: string
}

/** Where a part of something ends, and the next one begins. */
interface PartStart {
  atMs: number
  id: string
}

/** Walks once through all that is found, whatever of it stays. */
async function* partByPart(
  find: (from: PartStart) => Promise<Begun[]>,
  forget: (part: readonly Begun[]) => Promise<string[]>,
): AsyncGenerator<string[], void> {
  let from: PartStart = {atMs: 0, id: ''}
  for (;;) {
    const part = await find(from)
    const last = part.at(-1)
    if (last === undefined) return
    from = {atMs: last.at_ms, id: last.id}
    yield await forget(part)
  }
}

/** And not followed there. */
export function isBegunHere(link: {task_id?: string | null; request_id?: string}): boolean {
  return link.task_id == null && link.request_id?.startsWith(FOLLOWED) !== true
}

/** By id, the thread of those whose place is closed now, whatever it was when they were begun; without those of which nobody says. */
async function judge(
  part: readonly Begun[],
  isClosed: IsClosed,
): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>()
  for (const one of part) {
    const {id, thread_id: threadId} = one
    const isAsked = threadId !== null && isBegunHere(one)
    const isHidden = isAsked && (await isClosed(one))
    if (isHidden !== undefined) found.set(id, isHidden ? threadId : undefined)
  }
  return found
}

/** Nobody said whether work was to start from an app's message: by then it is too late to. */
function isUnanswered(of: ExpressionBuilder<Schema & {old: Schema['announcements']}, 'old'>) {
  return of.and([
    of('old.status', '=', RULE),
    of(OLD_STATE, '=', 'placed' satisfies AnnouncementState),
  ])
}

/** It ended, and nobody works for its workspace any more who could say so there. */
function isLeft(of: ExpressionBuilder<Schema & {old: Schema['announcements']}, 'old'>) {
  return of.and([
    of('old.status', 'is not', null),
    of(OLD_STATE, 'in', ['intended', 'placed'] satisfies AnnouncementState[]),
    of('old.ended_by', 'is not', null),
  ])
}

/** The head of a Slack thread in which nothing was begun. */
function isBareHead(of: ExpressionBuilder<Schema & {old: Schema['announcements']}, 'old'>) {
  return of.and([
    of('old.status', 'is', null),
    of(OLD_STATE, '=', 'placed' satisfies AnnouncementState),
    of.not(
      of.exists(
        of
          .selectFrom('links')
          .select('links.id')
          .whereRef('links.team', '=', 'old.team')
          .whereRef('links.channel', '=', 'old.channel')
          .whereRef('links.slack_thread', '=', 'old.ts'),
      ),
    ),
  ])
}

/** With their posts, sends, calls and files, and the messages that their Slack threads hang on. */
export async function deleteLinks(db: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of [
    'posts',
    'sends',
    'pings',
    'agent_posts',
    'questions',
    'named_pull_requests',
    'room_views',
  ] as const) {
    await db.deleteFrom(table).where('link_id', 'in', ids).execute()
  }
  await db
    .deleteFrom('rooms')
    .where((eb) => eb.or([eb('link_id', 'in', ids), eb('room_link_id', 'in', ids)]))
    .execute()
  await db
    .deleteFrom('shared_files')
    .where('request_id', 'in', db.selectFrom('links').select('request_id').where('id', 'in', ids))
    .execute()
  // From these links to their heads, and not through all heads that there are.
  const heads = db
    .selectFrom('links')
    .innerJoin('announcements as head', (join) =>
      join
        .onRef('head.team', '=', 'links.team')
        .onRef('head.channel', '=', 'links.channel')
        .onRef('head.ts', '=', 'links.slack_thread'),
    )
    .select('head.id')
    .where('links.id', 'in', ids)
    .where('head.status', 'is', null)
  await db.deleteFrom('announcements').where('id', 'in', heads).execute()
  await db.deleteFrom('links').where('id', 'in', ids).execute()
}
