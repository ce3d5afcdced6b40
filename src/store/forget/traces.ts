import {type Kysely, sql} from 'kysely'
import type {Sealer} from '../../security/seal.ts'
import type {Ending} from '../tables/channels/announcement.ts'
import {namesText} from '../database/json.ts'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'

/** Somebody of one workspace, or of all that know them. */
export interface Who {
  user: string
  team: string | undefined
}

/** What there is, in words; nothing for an empty list. */
export type Found = {what: string; count: number}[]

export interface ErasureOptions {
  db: Kysely<Schema>
  write: Write
  sealer: Sealer
  /** Whose interaction the body of an inbox row is; `undefined` where it is nobody's. */
  doerOf: (body: string) => {user: string; team: string} | undefined
}

/** Where somebody stands in our tables. */
export async function countUser(options: ErasureOptions, who: Who): Promise<Found> {
  const {db} = options
  const {user, team} = who
  const found: Found = []
  const count = async (what: string, ids: Promise<readonly unknown[]>): Promise<void> => {
    const {length} = await ids
    if (length > 0) found.push({what, count: length})
  }
  const ofTeam = <Row extends {team: string}>(rows: Promise<Row[]>): Promise<Row[]> =>
    rows.then((all) => all.filter((row) => team === undefined || row.team === team))
  const naming = async <Table extends keyof Schema>(
    table: Table,
    column: keyof Schema[Table] & string,
  ): Promise<{team: string}[]> => {
    const theirs = sql`${sql.ref(column)} = ${user}`
    const query = sql<{team: string}>`select team from ${sql.table(table)} where ${theirs}`
    return ofTeam(query.execute(db).then(({rows}) => rows))
  }
  await count('choices of theirs', naming('people', 'user'))
  await count('matches with the platform', naming('matches', 'user'))
  await count('digests of theirs', naming('digests', 'target'))
  await count('days on which they had one', naming('digest_days', 'target'))
  await count(
    'starts that were asked for',
    ofTeam(
      db
        .selectFrom('starts')
        .select('team')
        .where((eb) => eb.or([eb('user', '=', user), namesText('wish', user)]))
        .execute(),
    ),
  )
  await count('files that they shared', naming('shared_files', 'user'))
  await count('audit entries with their name', naming('audit', 'user'))
  await count(
    'pieces of work that they asked for or stopped',
    ofTeam(
      db
        .selectFrom('links')
        .select('team')
        .where((eb) => eb.or([eb('started_by', '=', user), eb('stopped_by', '=', user)]))
        .execute(),
    ),
  )
  await count(
    'messages to agents that they wrote or stopped',
    ofTeam(
      db
        .selectFrom('sends')
        .innerJoin('links', 'links.id', 'sends.link_id')
        .select('links.team')
        .where((eb) => eb.or([eb('sender', '=', user), eb('sends.stopped_by', '=', user)]))
        .execute(),
    ),
  )
  await count(
    'calls of them or answered by them',
    ofTeam(
      db
        .selectFrom('pings')
        .innerJoin('links', 'links.id', 'pings.link_id')
        .select('links.team')
        .where((eb) =>
          eb.or([eb('person', '=', user), eb('ended_by', '=', user), namesText('words', user)]),
        )
        .execute(),
    ),
  )
  await count(
    'questions that they answered',
    ofTeam(
      db
        .selectFrom('questions')
        .innerJoin('links', 'links.id', 'questions.link_id')
        .select('links.team')
        .where('answered_by', '=', user)
        .execute(),
    ),
  )
  await count(
    'messages in channels that name them',
    ofTeam(
      db
        .selectFrom('announcements')
        .select('team')
        .where((eb) => eb.or([eb('ended_by', '=', user as Ending), namesText('words', user)]))
        .execute(),
    ),
  )
  await count('watches', naming('watches', 'made_by'))
  await count('connections that they made', naming('connections', 'made_by'))
  await count('hooks that they made', naming('hooks', 'made_by'))
  await count('schedules that they follow', naming('timetables', 'followed_by'))
  await count('folders that they named', naming('folders', 'added_by'))
  await count('names of models that they gave', naming('model_aliases', 'changed_by'))
  await count('rules that they made', naming('rules', 'changed_by'))
  await count('rules whose work calls them', naming('rules', 'person'))
  await count(
    'work of rules that calls them',
    ofTeam(
      Promise.all([
        db.selectFrom('links').select('team').where(namesText('rule', user)).execute(),
        db
          .selectFrom('alerts')
          .select('team')
          .where((eb) => eb.or([namesText('wish', user), namesText('taken_by', user)]))
          .execute(),
      ]).then((all) => all.flat()),
    ),
  )
  await count('days on which their work cost something', naming('spendings', 'user'))
  await count(
    'budgets of theirs that were used, or that they raised',
    Promise.all([naming('budget_notes', 'user'), naming('budget_notes', 'ended_by')]).then((all) =>
      all.flat(),
    ),
  )
  await count('settings that they made or that name them', ofTeam(bindingsOf(db, user)))
  const installs = await installsOf(db, who)
  if (installs.length > 0) found.push({what: 'installs by them', count: installs.length})
  await count('inbox rows', inboxOfUser(options, who))
  return found
}

type Reader = Pick<Kysely<Schema>, 'selectFrom'>

export const bindingsOf = (db: Reader, user: string) =>
  db
    .selectFrom('bindings')
    .selectAll()
    .where((eb) => eb.or([eb('changed_by', '=', user), namesText('settings', user)]))
    .execute()

export const installsOf = (db: Reader, {user, team}: Who) =>
  db
    .selectFrom('installs')
    .selectAll()
    .where('installed_by', '=', user)
    .$if(team !== undefined, (query) => query.where('id', '=', team ?? ''))
    .execute()

export async function inboxOfUser({db, doerOf}: ErasureOptions, who: Who): Promise<number[]> {
  const rows = await db.selectFrom('inbox').select(['id', 'key', 'lane', 'body']).execute()
  const [user, team] = [JSON.stringify(who.user), JSON.stringify(who.team ?? '')]
  return rows.flatMap(({id, key, lane, body}) => {
    const isKeyed =
      (key.includes(user) || lane.includes(user)) &&
      (who.team === undefined || key.includes(team) || lane.includes(team))
    const doer = body === '' ? undefined : doerOf(body)
    const isTheirs = doer?.user === who.user && (who.team ?? doer.team) === doer.team
    return isKeyed || isTheirs ? [id] : []
  })
}
