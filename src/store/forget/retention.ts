import {type Expression, type ExpressionBuilder, type Kysely, type Transaction, sql} from 'kysely'
import {
  type AnnouncementState,
  DIGEST,
  type Ending,
  RULE,
  WELCOME,
} from '../tables/channels/announcement.ts'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'
import {forgetSaid} from '../tables/pull-requests/pull-requests.ts'
import {FOLLOWED, type LinkState} from '../tables/work/link.ts'
import {markPrivate} from '../tables/work/private-marks.ts'

/** Whether what was begun in a place is nobody else's business by now: once its rows are gone, nobody can ask. */
type IsClosed = (place: {team: string; channel: string}) => Promise<boolean>

/** Deletes what has served its time; each call some of it, so that nobody waits for long. */
export interface RetentionStore {
  /** What was delivered before then and has been handled; how many. */
  forgetInbox(beforeMs: number): Promise<number>
  /** Work that came to rest before then, with all that belongs to it: the ids of some, none when there are no more. */
  forgetLinks(beforeMs: number, isClosed: IsClosed): Promise<string[]>
  /** Messages in channels whose state is over; how many. */
  forgetAnnouncements(beforeMs: number): Promise<number>
  /** What was asked for and never begun, and the files of it. */
  forgetStarts(beforeMs: number): Promise<void>
  /** Which work hooks began, and that of closed places stays private; how many. */
  forgetRuns(beforeMs: number, isClosed: IsClosed): Promise<number>
  /** Days of digests that were over before then. */
  forgetDigests(beforeMs: number): Promise<void>
  /** Links in messages whose previews change no more. */
  forgetUnfurls(beforeMs: number): Promise<void>
  /** What one owner of a workspace leaves to the next, and links that have installed the app. */
  forgetHandovers(beforeMs: number): Promise<void>
  forgetAudit(beforeMs: number): Promise<number>
  /** What work has cost that is over, and what was told of budgets. */
  forgetSpendings(beforeMs: number): Promise<void>
  /** Deliveries to hooks that are in no log any more; how many. */
  forgetDeliveries(beforeMs: number): Promise<number>
  /** The bodies of deliveries that were given up before then; how many. */
  forgetDeadLetters(beforeMs: number): Promise<number>
  /** What was said of pull requests that nobody here has named, and of commits that are the newest of none of those. */
  forgetPullRequests(beforeMs: number): Promise<void>
  /** What rules decided of messages, so long that it counts no more. */
  forgetAlerts(beforeMs: number): Promise<number>
  /** Steps of workflows that asked for an agent before then; nobody waits for those any more. */
  forgetExecutions(beforeMs: number): Promise<void>
  /** The keys of what code on agents' machines has posted. */
  forgetAgentPosts(beforeMs: number): Promise<void>
}

const AT_ONCE = 50

export function createRetentionStore(db: Kysely<Schema>, write: Write): RetentionStore {
  const finished: LinkState[] = ['archived', 'ended']

  const oldLinks = (of: Pick<Kysely<Schema>, 'selectFrom'>, beforeMs: number) =>
    of
      .selectFrom('links')
      .where('state', 'in', finished)
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

  const forgetLinks: RetentionStore['forgetLinks'] = async (beforeMs, isClosed) => {
    const old = await oldLinks(db, beforeMs)
      .select(['id', 'thread_id', 'task_id', 'request_id', 'team', 'channel'])
      .limit(AT_ONCE)
      .execute()
    if (old.length === 0) return []
    const hidden = await hiddenOf(old.filter(isBegunHere), isClosed)
    const ofThese = old.map(({id}) => id)
    return write(async (transaction) => {
      // Some may have been taken up again meanwhile.
      const rows = await oldLinks(transaction, beforeMs)
        .select('id')
        .where('id', 'in', ofThese)
        .execute()
      const ids = rows.map(({id}) => id)
      for (const {id, threadId} of hidden) {
        if (ids.includes(id)) await markPrivate(transaction, threadId)
      }
      await deleteLinks(transaction, ids)
      return ids
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
    const over: AnnouncementState[] = ['over', 'gone']
    return forgetOld('announcements', (db) =>
      db
        .selectFrom('announcements as old')
        .select('old.id')
        .where((of) =>
          of.or([of('old.state', 'in', over), isLeft(of), isBareHead(of), isUnanswered(of)]),
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
          .where('request_id', 'not in', transaction.selectFrom('links').select('request_id'))
          .execute()
      }),
    forgetRuns: async (beforeMs, isClosed) => {
      const old = await db
        .selectFrom('runs')
        .select(['id', 'thread_id', 'team', 'channel'])
        .where('begun_at_ms', '<', beforeMs)
        .where('due_at_ms', 'is', null)
        .limit(AT_ONCE)
        .execute()
      if (old.length === 0) return 0
      const ids = old.map(({id}) => id)
      const hidden = await hiddenOf(old, isClosed)
      await write(async (transaction) => {
        for (const {threadId} of hidden) await markPrivate(transaction, threadId)
        await transaction.deleteFrom('runs').where('id', 'in', ids).execute()
      })
      return ids.length
    },
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
    forgetSpendings: (beforeMs) =>
      write(async (transaction) => {
        await transaction
          .deleteFrom('spendings')
          .where('risen_at_ms', '<', beforeMs)
          // Of work that may go on all counts.
          .where((eb) => {
            const links = eb.selectFrom('links').select('links.id')
            return eb.not(eb.exists(links.whereRef('links.thread_id', '=', 'spendings.thread_id')))
          })
          .execute()
        await transaction
          .deleteFrom('budget_notes')
          .where('made_at_ms', '<', beforeMs)
          .where((eb) => {
            const links = eb.selectFrom('links').select('links.id')
            return eb.not(eb.exists(links.whereRef('links.id', '=', 'budget_notes.link_id')))
          })
          .execute()
      }),
    forgetPullRequests: (beforeMs) =>
      write(async (transaction) => {
        await forgetSaid(transaction, 'pull_requests', beforeMs)
        await forgetSaid(transaction, 'commit_checks', beforeMs)
      }),
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
          .orderBy('id')
          .limit(20 * AT_ONCE),
      ),
  }
}

interface Begun {
  id: string
  thread_id: string | null
  team: string
  channel: string
}

/** And not followed there. */
export function isBegunHere(link: {task_id: string | null; request_id: string}): boolean {
  return link.task_id === null && !link.request_id.startsWith(FOLLOWED)
}

/** Those whose place is closed now, whatever it was when they were begun. */
async function hiddenOf(
  rows: readonly Begun[],
  isClosed: IsClosed,
): Promise<{id: string; threadId: string}[]> {
  const hidden: {id: string; threadId: string}[] = []
  for (const {id, thread_id: threadId, team, channel} of rows) {
    if (threadId !== null && (await isClosed({team, channel}))) hidden.push({id, threadId})
  }
  return hidden
}

/** Nobody said whether work was to start from an app's message: by then it is too late to. */
function isUnanswered(of: ExpressionBuilder<Schema & {old: Schema['announcements']}, 'old'>) {
  return of.and([
    of('old.status', '=', RULE),
    of('old.state', '=', 'placed' satisfies AnnouncementState),
  ])
}

/** It ended, and nobody works for its workspace any more who could say so there. */
function isLeft(of: ExpressionBuilder<Schema & {old: Schema['announcements']}, 'old'>) {
  return of.and([
    of('old.status', 'is not', null),
    of('old.state', 'in', ['intended', 'placed'] satisfies AnnouncementState[]),
    of('old.ended_by', 'is not', null),
  ])
}

/** The head of a Slack thread in which nothing was begun. */
function isBareHead(of: ExpressionBuilder<Schema & {old: Schema['announcements']}, 'old'>) {
  return of.and([
    of('old.status', 'is', null),
    of('old.state', '=', 'placed' satisfies AnnouncementState),
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
