import type {Kysely} from 'kysely'
import type {Schema} from '../../store/database/schema.ts'
import type {Settings} from '../../store/tables/channels/bindings.ts'
import {createDigestStore} from '../../store/tables/channels/digests.ts'
import type {Rule} from '../../store/tables/rules/rule.ts'
import {createRuleStore} from '../../store/tables/rules/rules.ts'
import {ENVIRONMENT} from './document.ts'
import {
  type NameOf,
  type SetAlias,
  type SetRule,
  type SetWatch,
  type Setup,
  byLetters,
  byProject,
} from './setup.ts'

type From = Kysely<Schema>

/** Nothing is written by way of a reader. */
const readOnly = (): Promise<never> => Promise.reject(new Error('This only reads'))

/** What is set in a workspace now, and how its connections are called. */
export interface Standing {
  setup: Setup
  connections: readonly KnownConnection[]
  nameOf: NameOf
  /** Channels of work, in which what was chosen elsewhere holds. */
  rooms: ReadonlyMap<string, string>
}

interface KnownConnection {
  id: string
  name: string
  /** Its key was deleted. */
  isGone: boolean
}

/** All workspaces of which anything is known. */
export async function readTeams(db: From): Promise<string[]> {
  const tables = ['bindings', 'digests', 'watches', 'rules', 'hooks'] as const
  const named = ['model_aliases', 'connections'] as const
  const found = await Promise.all(
    [...tables, ...named].map((table) => db.selectFrom(table).select('team').distinct().execute()),
  )
  const installs = await db.selectFrom('installs').select('id').execute()
  const teams = new Set([...found.flat().map(({team}) => team), ...installs.map(({id}) => id)])
  // An organization is no workspace, and chooses nothing.
  return [...teams].filter((team) => team.startsWith('T')).toSorted(byLetters)
}

export async function readStanding(db: From, team: string): Promise<Standing> {
  const [settings, digests, watches, rules, hooks, aliases] = await Promise.all([
    readSettings(db, team),
    createDigestStore(db, readOnly).ofTeam(team),
    readWatches(db, team),
    readRules(db, team),
    readHooks(db, team),
    readAliases(db, team),
  ])
  const schedules = digests
    // What people have chosen for themselves is theirs.
    .filter(({target}) => !/^[UW]/.test(target))
    .map(({target, schedule}) => [target, schedule] as const)
  const setup = {team, settings, digests: new Map(schedules), watches, rules, hooks, aliases}
  const connections = await readConnections(db, team)
  const names = new Map(connections.map(({id, name}) => [id, name]))
  // One that was removed is still what was chosen.
  const nameOf: NameOf = (id) => (id === null ? ENVIRONMENT : (names.get(id) ?? id))
  return {setup, connections, nameOf, rooms: await readRooms(db, team)}
}

async function readSettings(db: From, team: string): Promise<Setup['settings']> {
  const rows = await db
    .selectFrom('bindings')
    .select(['channel', 'settings'])
    .where('team', '=', team)
    .execute()
  const all = rows.map(
    ({channel, settings}) => [channel, JSON.parse(settings) as Settings] as const,
  )
  return new Map(all.filter(([, settings]) => Object.keys(settings).length > 0))
}

async function readWatches(db: From, team: string): Promise<Setup['watches']> {
  const rows = await db
    .selectFrom('watches')
    .select(['channel', 'project_id', 'connection_id'])
    .where('team', '=', team)
    .execute()
  const all = rows.map(({channel, project_id: projectId, connection_id: id}) => ({
    channel,
    watch: {projectId, connectionId: id || null},
  }))
  return grouped(
    all,
    ({channel}) => channel,
    ({watch}): SetWatch => watch,
    byProject,
  )
}

async function readRules(db: From, team: string): Promise<Setup['rules']> {
  const rules = await createRuleStore(db, readOnly).ofTeam(team)
  return grouped(rules, ({channel}) => channel, toSet)
}

function toSet(rule: Rule): SetRule {
  const {name, app, appName, pattern, does, task, dedupeKey, quiet, person, isOn} = rule
  const {windowMinutes, perHour, perDay} = rule
  const limits = {windowMinutes, perHour, perDay}
  return {name, app, appName, pattern, does, task, dedupeKey, ...limits, quiet, person, isOn}
}

async function readHooks(db: From, team: string): Promise<Setup['hooks']> {
  const rows = await db
    .selectFrom('hooks')
    .select(['id', 'channel', 'state', 'follows'])
    .where('team', '=', team)
    .execute()
  return grouped(
    rows,
    ({channel}) => channel,
    ({id, state, follows}) => ({id, isOn: state === 'on', follows: follows === 1}),
    (a, b) => byLetters(a.id, b.id),
  )
}

async function readAliases(db: From, team: string): Promise<SetAlias[]> {
  const rows = await db.selectFrom('model_aliases').selectAll().where('team', '=', team).execute()
  return rows.map(({connection_id: id, name, model_id: modelId, effort, modes}) => ({
    ...{connectionId: id || null, name, modelId, effort: effort ?? undefined},
    modes: JSON.parse(modes) as string[],
  }))
}

/** By label and last four letters; where two are alike, by their ids. */
async function readConnections(db: From, team: string): Promise<KnownConnection[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['id', 'label', 'last4', 'state'])
    .where('team', '=', team)
    .execute()
  const named = rows.map((row) => ({...row, name: `${row.label}/${row.last4}`}))
  return named.map(({id, name, state}) => ({
    id,
    name: named.filter((other) => other.name === name).length > 1 ? id : name,
    isGone: state === 'gone',
  }))
}

async function readRooms(db: From, team: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('rooms')
    .select(['channel', 'origin'])
    .where('team', '=', team)
    .execute()
  return new Map(rows.flatMap(({channel, origin}) => (channel === null ? [] : [[channel, origin]])))
}

function grouped<Row, Value>(
  rows: readonly Row[],
  channelOf: (row: Row) => string,
  valueOf: (row: Row) => Value,
  order?: (a: Value, b: Value) => number,
): Map<string, Value[]> {
  const groups = Map.groupBy(rows, channelOf)
  const ordered = (values: Value[]) => (order === undefined ? values : values.toSorted(order))
  return new Map([...groups].map(([channel, own]) => [channel, ordered(own.map(valueOf))]))
}
