import type {SqlDatabase} from '../database.ts'

export interface Member {
  id: string
  name: string
  realName: string
  displayName: string
  email: string
  tz: string
  tzOffsetS: number
  isBot: boolean
  isAdmin: boolean
  /** A guest: of several channels, or of a single one. */
  guest?: 'multi_channel' | 'single_channel'
  /** The person left: Slack keeps the record. */
  deactivated?: boolean
  /** Set on people of another company, who are here through a shared channel (Slack Connect). */
  teamId?: string
}

export interface Channel {
  id: string
  kind: 'channel' | 'group_dm' | 'dm'
  /** Without `#`; of a direct message the handle of the app. */
  name: string
  memberIds: string[]
  archived: boolean
  createdS: number
  /** Of channels: only members know of it. */
  isPrivate?: boolean
  /** The other companies it is shared with. */
  connectedTeamIds?: string[]
  previousNames?: string[]
}

export interface WorkspaceSeed {
  members: Member[]
  channels: Channel[]
}

/** Who and what there is: one team, its members and channels, and the one installed app. */
export interface Workspace {
  team: {id: string; name: string; domain: string}
  app: {id: string; botId: string; userId: string; name: string}
  members(): Member[]
  member(id: string): Member | undefined
  channels(): Channel[]
  channel(id: string): Channel | undefined
  /** The direct message of a member with the app. */
  dmOf(memberId: string): Channel | undefined
  hasMember(channelId: string, memberId: string): boolean
  /** Also a new one. */
  saveChannel(channel: Channel): void
  /** Also a new one. */
  saveMember(member: Member): void
}

export function createWorkspace(database: SqlDatabase, seed: WorkspaceSeed): Workspace {
  sow(database, seed)
  const members = readBodies<Member>(database, 'members')
  const channels = readBodies<Channel>(database, 'channels')
  const writeTo = (table: 'members' | 'channels') =>
    database.prepare(
      `insert into ${table} (id, body) values (?, ?) on conflict (id) do update set body = excluded.body`,
    )
  const writeChannel = writeTo('channels')
  const writeMember = writeTo('members')
  const hasMember = (channelId: string, memberId: string): boolean =>
    channels.get(channelId)?.memberIds.includes(memberId) ?? false
  return {
    team: {id: 'T0LOCAL', name: 'Acme', domain: 'acme'},
    app: {id: 'A0BOSUN', botId: 'B0BOSUN', userId: 'U0BOSUN', name: 'Bosun'},
    members: () => [...members.values()],
    member: (id) => members.get(id),
    channels: () => [...channels.values()],
    channel: (id) => channels.get(id),
    dmOf: (memberId) =>
      [...channels.values()].find(({kind, id}) => kind === 'dm' && hasMember(id, memberId)),
    hasMember,
    saveChannel: (channel) => {
      channels.set(channel.id, channel)
      writeChannel.run(channel.id, JSON.stringify(channel))
    },
    saveMember: (member) => {
      members.set(member.id, member)
      writeMember.run(member.id, JSON.stringify(member))
    },
  }
}

function sow(database: SqlDatabase, seed: WorkspaceSeed): void {
  const {count} = database
    .prepare<[], {count: number}>('select count(*) as count from members')
    .get() ?? {count: 0}
  if (count > 0) return
  const member = database.prepare('insert into members (id, body) values (?, ?)')
  const channel = database.prepare('insert into channels (id, body) values (?, ?)')
  database.transaction(() => {
    for (const row of seed.members) member.run(row.id, JSON.stringify(row))
    for (const row of seed.channels) channel.run(row.id, JSON.stringify(row))
  })()
}

function readBodies<Row extends {id: string}>(
  database: SqlDatabase,
  table: 'members' | 'channels',
): Map<string, Row> {
  const rows = database
    .prepare<[], {body: string}>(`select body from ${table} order by rowid`)
    .all()
  return new Map(
    rows.map(({body}) => {
      const row = JSON.parse(body) as Row
      return [row.id, row]
    }),
  )
}
