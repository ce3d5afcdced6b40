import {type RawBuilder, type SqlBool, type Transaction, sql} from 'kysely'
import {type AnnouncementWords, DIGEST, type Ending} from '../tables/channels/announcement.ts'
import type {Settings} from '../tables/channels/bindings.ts'
import {namesText} from '../database/json.ts'
import type {Schema} from '../database/schema.ts'
import {placeOf, replaceSealed} from '../database/sealed-values.ts'
import type {Pace} from '../tables/handovers.ts'
import type {LinkState, CardNotice} from '../tables/work/link.ts'
import type {NotificationState} from '../tables/work/notifications.ts'
import {type ErasureOptions, type Who, bindingsOf, installsOf} from './traces.ts'

/** Stands where a person stood who was forgotten: no Slack user. */
export const NOBODY = 'nobody'

/** Work stays, and what it was asked for in does not; what has not begun never will. */
export async function blankWork(db: Transaction<Schema>, {user, team}: Who): Promise<void> {
  const state: LinkState = 'ended'
  const notice: CardNotice = {code: 'stopped-early'}
  const theirs = db
    .updateTable('links')
    .where('started_by', '=', user)
    .$if(team !== undefined, (query) => query.where('team', '=', team ?? ''))
  await theirs
    .set({state, notice: JSON.stringify(notice)})
    .where('state', '=', 'starting' satisfies LinkState)
    .execute()
  await blankRoomTitles(db, {user, team})
  // Until the platform has given it one, the title is the beginning of what was asked for.
  await theirs.set({started_by: NOBODY, title: null, ask: null, notes: null}).execute()
}

/** Before whose work it was is gone. The tabs that stand in the room stay known. */
async function blankRoomTitles(db: Transaction<Schema>, {user, team}: Who): Promise<void> {
  const rooms = await db
    .selectFrom('rooms')
    .innerJoin('links', 'links.id', 'rooms.link_id')
    .select(['rooms.team', 'rooms.thread_id', 'rooms.shown'])
    .where('links.started_by', '=', user)
    .where('rooms.shown', 'is not', null)
    .$if(team !== undefined, (query) => query.where('rooms.team', '=', team ?? ''))
    .execute()
  for (const room of rooms) {
    const shown = JSON.stringify({...(JSON.parse(room.shown ?? '{}') as object), title: undefined})
    await db
      .updateTable('rooms')
      .set({shown})
      .where('team', '=', room.team)
      .where('thread_id', '=', room.thread_id)
      .execute()
  }
}

function inTeam({team}: Pick<Who, 'team'>): RawBuilder<SqlBool> {
  return team === undefined ? sql`1 = 1` : sql`team = ${team}`
}

/** Where people are named by who they are alone. */
const NAMES = [
  ['links', 'stopped_by'],
  ['audit', 'user'],
  ['watches', 'made_by'],
  ['connections', 'made_by'],
  ['hooks', 'made_by'],
  ['timetables', 'followed_by'],
  ['folders', 'added_by'],
  ['model_aliases', 'changed_by'],
  ['spendings', 'user'],
  ['budget_notes', 'user'],
  ['budget_notes', 'ended_by'],
  ['rules', 'changed_by'],
  ['rules', 'person'],
] as const satisfies readonly {
  [Table in keyof Schema]: readonly [Table, keyof Schema[Table]]
}[keyof Schema][]

export async function blankNames(db: Transaction<Schema>, {user, team}: Who): Promise<void> {
  for (const table of ['people', 'matches', 'starts', 'shared_files'] as const) {
    await db
      .deleteFrom(table)
      .where('user', '=', user)
      .$if(team !== undefined, (query) => query.where('team', '=', team ?? ''))
      .execute()
  }
  // What others asked for may name them, too.
  await db.deleteFrom('starts').where(namesText('wish', user)).where(inTeam({team})).execute()
  await db
    .updateTable('alerts')
    .set({taken_by: null})
    .where(namesText('taken_by', user))
    .where(inTeam({team}))
    .execute()
  await dropDigests(db, {user, team})
  // A form that stands open and names them is not taken any more.
  await db
    .updateTable('rules')
    .set(({eb}) => ({changed_at_ms: eb('changed_at_ms', '+', 1)}))
    .where('person', '=', user)
    .where(inTeam({team}))
    .execute()
  const here = inTeam({team})
  for (const [table, column] of NAMES) {
    const name = sql.ref(column)
    const theirs = sql`${name} = ${user} and ${here}`
    await sql`update ${sql.table(table)} set ${name} = ${NOBODY} where ${theirs}`.execute(db)
  }
  await blankRules(db, {user, team})
  for (const row of await bindingsOf(db, user)) {
    if (team !== undefined && row.team !== team) continue
    const settings = JSON.parse(row.settings) as Settings
    const {allowed} = settings
    // A list that becomes empty lets in nobody but admins: it is no door that opens.
    const users = allowed?.who === 'list' ? allowed.users.filter((id) => id !== user) : undefined
    const fresh = users === undefined ? settings : {...settings, allowed: {who: 'list', users}}
    await db
      .updateTable('bindings')
      .set({
        settings: JSON.stringify(fresh),
        changed_by: row.changed_by === user ? NOBODY : row.changed_by,
        ...(users !== undefined && {changed_at_ms: row.changed_at_ms + 1}),
      })
      .where('team', '=', row.team)
      .where('channel', '=', row.channel)
      .execute()
  }
}

/** Whom work of rules calls stands inside of what is known of the rule. */
async function blankRules(db: Transaction<Schema>, {user, team}: Who): Promise<void> {
  for (const [table, column] of RULES) {
    const {rows} = await sql<{id: string; team: string; said: string}>`
      select id, team, ${sql.ref(column)} as said from ${sql.table(table)}
      where ${namesText(column, user)}`.execute(db)
    for (const {id, team: at, said} of rows) {
      if (team !== undefined && at !== team) continue
      const fresh = JSON.stringify(JSON.parse(said), (key, value: unknown) =>
        key === 'person' && value === user ? undefined : value,
      )
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${fresh} where id = ${id}`.execute(
        db,
      )
    }
  }
}

const RULES = [
  ['links', 'rule'],
  ['alerts', 'wish'],
] as const

/** Nobody tells them anything any more. */
async function dropDigests(db: Transaction<Schema>, {user, team}: Who): Promise<void> {
  for (const table of ['digests', 'digest_days'] as const) {
    await db
      .deleteFrom(table)
      .where('target', '=', user)
      .$if(team !== undefined, (query) => query.where('team', '=', team ?? ''))
      .execute()
  }
  await db
    .deleteFrom('announcements')
    .where('status', '=', DIGEST)
    .where(namesText('words', user))
    .$if(team !== undefined, (query) => query.where('team', '=', team ?? ''))
    .execute()
}

/** What they wrote to agents, and what they answered. */
export async function blankWords(db: Transaction<Schema>, {user, team}: Who): Promise<void> {
  const links = db
    .selectFrom('links')
    .select('id')
    .$if(team !== undefined, (query) => query.where('team', '=', team ?? ''))
  const sends = db.updateTable('sends').where('link_id', 'in', links)
  await sends
    .set({state: 'cancelled'})
    .where('sender', '=', user)
    .where('state', 'in', ['open', 'unsent', 'unsure', 'kept', 'held'])
    .execute()
  await sends.set({stopped_by: NOBODY}).where('stopped_by', '=', user).execute()
  await sends.set({text: '', sender: NOBODY}).where('sender', '=', user).execute()
  const notifications = db.updateTable('pings').where('link_id', 'in', links)
  await notifications
    .set({state: 'over' satisfies NotificationState, remind_at_ms: null})
    .where('person', '=', user)
    .where('state', '=', 'open' satisfies NotificationState)
    .execute()
  await notifications.set({ended_by: null}).where('ended_by', '=', user).execute()
  await notifications.set({person: NOBODY}).where('person', '=', user).execute()
  const questions = db.updateTable('questions').where('link_id', 'in', links)
  await questions.set({answered_by: NOBODY, answer: null}).where('answered_by', '=', user).execute()
  await blankAnswers(db, {user, team})
}

async function blankAnswers(db: Transaction<Schema>, {user, team}: Who): Promise<void> {
  const notifications = await db
    .selectFrom('pings')
    .innerJoin('links', 'links.id', 'pings.link_id')
    .select(['pings.id', 'pings.words', 'links.team'])
    .where(namesText('pings.words', user))
    .execute()
  for (const {id, words, team: at} of notifications) {
    if (team !== undefined && at !== team) continue
    const said = JSON.parse(words) as {answers?: {by: string}[]}
    const answers = said.answers?.filter(({by}) => by !== user) ?? []
    const fresh = JSON.stringify({...said, answers})
    await db.updateTable('pings').set({words: fresh}).where('id', '=', id).execute()
  }
  const told = await db
    .selectFrom('announcements')
    .selectAll()
    .where((eb) => eb.or([eb('ended_by', '=', user as Ending), namesText('words', user)]))
    .execute()
  for (const row of told) {
    if (team !== undefined && row.team !== team) continue
    const {answer, task, title, ...words} = JSON.parse(row.words) as AnnouncementWords
    const isEnder = row.ended_by === user
    const asked = {...(task !== undefined && {task}), ...(title !== undefined && {title})}
    const fresh = {
      ...words,
      ...(!isEnder && answer !== undefined && {answer}),
      ...(words.askedBy === user ? {askedBy: NOBODY} : asked),
    }
    await db
      .updateTable('announcements')
      .set({words: JSON.stringify(fresh), ended_by: isEnder ? 'answered' : row.ended_by})
      .where('id', '=', row.id)
      .execute()
  }
}

/** What one owner of a workspace leaves to the next holds whole messages, whoever they name. */
export async function dropLeftMessages(db: Transaction<Schema>, {team}: Who): Promise<void> {
  const claims = await db
    .selectFrom('claims')
    .select(['name', 'pace'])
    .where('pace', 'is not', null)
    .$if(team !== undefined, (query) => query.where('name', '=', team ?? ''))
    .execute()
  for (const {name, pace} of claims) {
    const fresh = {...(JSON.parse(pace ?? '{}') as Pace), newest: {}}
    await db
      .updateTable('claims')
      .set({pace: JSON.stringify(fresh)})
      .where('name', '=', name)
      .execute()
  }
}

/** Slack's answer to the install names who made it, inside what is sealed. */
export async function forgetInstaller(
  {db, write, sealer}: ErasureOptions,
  who: Who,
): Promise<void> {
  for (const {id, installation} of await installsOf(db, who)) {
    const value = {table: 'installs', row: id, sealed: installation}
    const known = JSON.parse(sealer.open(installation, placeOf(value))) as object
    const fresh = sealer.seal(JSON.stringify({...known, user: {id: NOBODY}}), placeOf(value))
    await write(async (transaction) => {
      if (!(await replaceSealed(transaction, value, fresh))) return
      await transaction
        .updateTable('installs')
        .set({installed_by: NOBODY})
        .where('id', '=', id)
        .execute()
    })
  }
}
