import type {Kysely, Transaction} from 'kysely'
import type {Noise} from '../choices.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'

/** Who may use Bosun in a channel, besides what is said of guests and people of other companies. */
export type Allowed =
  {who: 'everyone'} | {who: 'group'; group: string} | {who: 'list'; users: string[]}

/** What may be spent, in dollars; `null`: as much as it takes. Days and months are those of UTC. */
export interface BudgetSettings {
  budgetPerWork?: number | null
  budgetPerPersonDay?: number | null
  budgetPerPersonMonth?: number | null
  budgetPerChannelDay?: number | null
  budgetPerChannelMonth?: number | null
}

/** What a channel, or a workspace for all of its channels, has chosen; what is absent is decided elsewhere. */
export interface Settings extends BudgetSettings {
  /** `null`: the key of the environment. */
  connectionId?: string | null
  projectId?: string
  projectName?: string
  /** An alias, or the id of a model. */
  modelId?: string
  /** How long a model thinks, and how else it works. */
  effort?: string
  modes?: readonly string[]
  machineSize?: string
  /** Whether a plain reply in a bound Slack thread goes to the agent. */
  followUps?: 'everyone' | 'mention'
  noise?: Noise
  allowed?: Allowed
  /** Guests of the workspace, and people of other companies in shared channels. */
  guests?: boolean
  externals?: boolean
  /** Work begins with a plan, and goes ahead when somebody says so. */
  planFirst?: boolean
  /** What of a reply is too long for messages. */
  longReplies?: 'file' | 'canvas'
  /** An agent is told by itself of what its pull requests wait for. */
  fixPullRequests?: boolean
  /** Steps of workflows may start work. */
  workflows?: boolean
  /** When work gets a channel of its own: as somebody asks, once it takes long, or always. */
  rooms?: 'asked' | 'long' | 'always'
  /** Stands in front of the first message to each agent. */
  instructions?: string
  /** How often a day work may be started: by one person, and in this channel. */
  startsPerPerson?: number
  startsPerChannel?: number
}

/** Empty for what holds in the whole workspace. */
type ChannelOrAll = string

/** A choice as it stands, and since when. */
interface Binding {
  settings: Settings
  changedBy: string
  changedAtMs: number
}

export interface BindingStore {
  of(team: string, channel: ChannelOrAll): Promise<Settings | undefined>
  read(team: string, channel: ChannelOrAll): Promise<Binding | undefined>
  /**
   * Puts these settings in place of those that stood since `sinceMs` (`undefined`: of none). `stale`: others stand there
   * by now, and stay.
   */
  replace(
    place: {team: string; channel: ChannelOrAll},
    settings: Settings,
    by: {user: string; nowMs: number; sinceMs: number | undefined},
  ): Promise<{outcome: 'done'} | {outcome: 'stale'; by: string | undefined}>
  /** A field that is present and `undefined` is taken back. */
  change(
    place: {team: string; channel: ChannelOrAll},
    change: {[Name in keyof Settings]?: Settings[Name] | undefined},
    by: {user: string; nowMs: number},
  ): Promise<Settings>
  remove(team: string, channel: ChannelOrAll): Promise<boolean>
  /** Where what holds in a channel was chosen: in a room, the channel that it was opened from. */
  originOf(team: string, channel: ChannelOrAll): Promise<ChannelOrAll>
  /** Channels (empty: the workspace) that name the connection. */
  withConnection(team: string, connectionId: string): Promise<ChannelOrAll[]>
}

export function createBindingStore(db: Kysely<Schema>, write: Write): BindingStore {
  const read = async (
    from: Pick<Kysely<Schema>, 'selectFrom'>,
    team: string,
    channel: string,
  ): Promise<Binding | undefined> => {
    const row = await from
      .selectFrom('bindings')
      .selectAll()
      .where('team', '=', team)
      .where('channel', '=', await originOf(from, team, channel))
      .executeTakeFirst()
    if (row === undefined) return undefined
    const {settings, changed_by: changedBy, changed_at_ms: changedAtMs} = row
    return {settings: toSettings(settings), changedBy, changedAtMs}
  }

  const keep = async (
    transaction: Transaction<Schema>,
    {team, channel}: {team: string; channel: ChannelOrAll},
    row: Pick<Schema['bindings'], 'settings' | 'changed_by' | 'changed_at_ms'>,
  ): Promise<void> => {
    const origin = await originOf(transaction, team, channel)
    await transaction
      .insertInto('bindings')
      .values({team, channel: origin, ...row})
      .onConflict((conflict) => conflict.columns(['team', 'channel']).doUpdateSet(row))
      .execute()
  }

  const replace: BindingStore['replace'] = (place, wanted, {user, nowMs, sinceMs}) =>
    write(async (transaction) => {
      const before = await read(transaction, place.team, place.channel)
      const settings = JSON.stringify(wanted)
      // Asked once more after a crash: it is what was wanted.
      const isDone = before?.changedBy === user && JSON.stringify(before.settings) === settings
      if (isDone) return {outcome: 'done'}
      if (before?.changedAtMs !== sinceMs) return {outcome: 'stale', by: before?.changedBy}
      // Two changes in one millisecond are two.
      const atMs = Math.max(nowMs, (sinceMs ?? 0) + 1)
      await keep(transaction, place, {settings, changed_by: user, changed_at_ms: atMs})
      return {outcome: 'done'}
    })

  const change: BindingStore['change'] = (place, changed, {user, nowMs}) =>
    write(async (transaction) => {
      const before = await read(transaction, place.team, place.channel)
      const settings = JSON.stringify({...before?.settings, ...changed})
      await keep(transaction, place, {settings, changed_by: user, changed_at_ms: nowMs})
      return toSettings(settings)
    })

  const remove: BindingStore['remove'] = (team, channel) =>
    write(async (transaction) => {
      const {numDeletedRows} = await transaction
        .deleteFrom('bindings')
        .where('team', '=', team)
        .where('channel', '=', await originOf(transaction, team, channel))
        .executeTakeFirst()
      return numDeletedRows === 1n
    })

  const withConnection: BindingStore['withConnection'] = async (team, connectionId) => {
    const rows = await db
      .selectFrom('bindings')
      .select(['channel', 'settings'])
      .where('team', '=', team)
      .execute()
    return rows.flatMap(({channel, settings}) =>
      toSettings(settings).connectionId === connectionId ? [channel] : [],
    )
  }

  return {
    of: async (team, channel) => (await read(db, team, channel))?.settings,
    read: (team, channel) => read(db, team, channel),
    replace,
    change,
    remove,
    originOf: (team, channel) => originOf(db, team, channel),
    withConnection,
  }
}

async function originOf(
  db: Pick<Kysely<Schema>, 'selectFrom'>,
  team: string,
  channel: ChannelOrAll,
): Promise<ChannelOrAll> {
  if (channel === '') return channel
  const room = await db
    .selectFrom('rooms')
    .select('origin')
    .where('team', '=', team)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return room?.origin ?? channel
}

function toSettings(column: string): Settings {
  return JSON.parse(column) as Settings
}
