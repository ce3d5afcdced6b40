import type {Kysely, Transaction} from 'kysely'
import {PER_STATEMENT, inParts} from '../database/in-parts.ts'
import type {Schema} from '../database/schema.ts'
import {forgetUnwatched} from '../tables/channels/watches.ts'
import {blankNames, blankWords, blankWork, dropLeftMessages, forgetInstaller} from './blanking.ts'
import {nameMark} from '../tables/work/automation-origins.ts'
import {hashOf, markUnknown} from '../tables/work/private-marks.ts'
import {deleteLinks, isBegunHere} from './retention.ts'
import {type ErasureOptions, type Found, type Who, countUser, inboxOfUser} from './traces.ts'

/** Deletes all that is known of somebody, or of a whole workspace. It may be called again until nothing is found. */
export interface Erasure {
  countUser(who: Who): Promise<Found>
  forgetUser(who: Who): Promise<void>
  countTeam(team: string): Promise<Found>
  /** Everything: also keys and tokens, which a bot that runs would still know. */
  forgetTeam(team: string): Promise<void>
}

export function createErasure(options: ErasureOptions): Erasure {
  const {db, write} = options
  return {
    countUser: (who) => countUser(options, who),
    forgetUser: async (who) => {
      const inbox = await inboxOfUser(options, who)
      await write((transaction) => deleteInbox(transaction, inbox))
      await write((transaction) => blankWork(transaction, who))
      await write((transaction) => blankNames(transaction, who))
      await write((transaction) => blankWords(transaction, who))
      await write((transaction) => dropLeftMessages(transaction, who))
      await forgetInstaller(options, who)
    },
    countTeam: (team) => countTeam(db, team),
    forgetTeam: async (team) => {
      for (;;) {
        const gone = await write(async (transaction) => {
          const rows = await transaction
            .selectFrom('links')
            .select(['id', 'thread_id', 'task_id', 'request_id'])
            .where('team', '=', team)
            .limit(PER_STATEMENT)
            .execute()
          for (const row of rows) {
            if (row.thread_id !== null && isBegunHere(row)) {
              await markUnknown(transaction, row.thread_id)
            }
          }
          await deleteLinks(
            transaction,
            rows.map(({id}) => id),
          )
          return rows.length
        })
        if (gone === 0) break
      }
      const inbox = await inboxOfTeam(db, team)
      await write(async (transaction) => {
        await deleteInbox(transaction, inbox)
        await hideOfTeam(transaction, team)
        await unnameBeginnings(transaction, team)
        for (const table of TEAM_TABLES) {
          await transaction.deleteFrom(table).where('team', '=', team).execute()
        }
        await transaction.deleteFrom('installs').where('id', '=', team).execute()
        await transaction.deleteFrom('claims').where('name', '=', team).execute()
        await forgetUnwatched(transaction)
      })
    },
  }
}

/**
 * What was begun there, and made, may have been private, and its channels are not to be asked any more: others whose key reaches
 * the same project do not take it for something from elsewhere.
 */
async function hideOfTeam(db: Transaction<Schema>, team: string): Promise<void> {
  const runs = await db
    .selectFrom('runs')
    .select('thread_id')
    .where('team', '=', team)
    .where('thread_id', 'is not', null)
    .execute()
  for (const {thread_id: threadId} of runs) await markUnknown(db, threadId ?? '')
  for (const table of ['timetables', 'hooks'] as const) {
    const made = await db
      .selectFrom(table)
      .select('automation_id')
      .where('team', '=', team)
      .where('automation_id', 'is not', null)
      .execute()
    for (const {automation_id: id} of made) await markUnknown(db, nameMark(id ?? ''))
  }
}

/** What nobody knows the end of stays held back, by a name that says nothing. */
async function unnameBeginnings(db: Transaction<Schema>, team: string): Promise<void> {
  for (const requestId of await beginningsOf(db, team)) {
    await db
      .updateTable('private_beginnings')
      .set({request_id: hashOf(requestId)})
      .where('request_id', '=', requestId)
      .execute()
  }
}

/** Their names begin as in `slack/gate/start-request.ts`. */
async function beginningsOf(db: Kysely<Schema>, team: string): Promise<string[]> {
  const rows = await db.selectFrom('private_beginnings').select('request_id').execute()
  return rows.map((row) => row.request_id).filter((name) => name.startsWith(`slack:${team}:`))
}

/** All that bear a workspace, besides links. */
const TEAM_TABLES = [
  ...(['announcements', 'watches', 'people', 'matches', 'starts'] as const),
  ...(['connections', 'bindings', 'audit', 'deliveries', 'runs', 'hooks', 'folders'] as const),
  ...(['silences', 'confessions', 'shared_files', 'model_aliases', 'known_models'] as const),
  ...(['pull_requests', 'commit_checks', 'named_pull_requests'] as const),
  ...(['timetables', 'spendings', 'budget_notes', 'rules', 'alerts'] as const),
  ...(['digests', 'digest_days', 'executions', 'unfurls', 'rooms', 'room_support'] as const),
  'barred_channels' as const,
]

/** All that bear a link. */
const LINK_TABLES = ['posts', 'sends', 'pings', 'agent_posts', 'questions', 'room_views'] as const

async function countTeam(db: Kysely<Schema>, team: string): Promise<Found> {
  const found: Found = []
  const note = (what: string, count: number): void => {
    if (count > 0) found.push({what, count})
  }
  for (const table of ['links', ...TEAM_TABLES] as const) {
    const {count} = await db
      .selectFrom(table)
      .select(({fn}) => fn.countAll<number>().as('count'))
      .where('team', '=', team)
      .executeTakeFirstOrThrow()
    note(table, count)
  }
  for (const table of LINK_TABLES) {
    const {count} = await db
      .selectFrom(table)
      .innerJoin('links', 'links.id', `${table}.link_id`)
      .select(({fn}) => fn.countAll<number>().as('count'))
      .where('links.team', '=', team)
      .executeTakeFirstOrThrow()
    note(table, count)
  }
  const installs = await db.selectFrom('installs').select('id').where('id', '=', team).execute()
  note('installs', installs.length)
  note('inbox rows', (await inboxOfTeam(db, team)).length)
  note('private beginnings', (await beginningsOf(db, team)).length)
  return found
}

/** What they did names the workspace in its key or its lane. */
async function inboxOfTeam(db: Kysely<Schema>, team: string): Promise<number[]> {
  const rows = await db.selectFrom('inbox').select(['id', 'key', 'lane']).execute()
  const name = JSON.stringify(team)
  return rows.flatMap(({id, key, lane}) => (key.includes(name) || lane.includes(name) ? [id] : []))
}

async function deleteInbox(db: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  for (const some of inParts(ids)) {
    await db.deleteFrom('inbox').where('id', 'in', some).execute()
  }
}
