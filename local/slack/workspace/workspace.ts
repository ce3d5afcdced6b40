import type {SqlDatabase} from '../database.ts'
import type {CodeChannel} from './code-channel.ts'
import {openRecords} from '../records.ts'

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
  /** What an admin has restricted; absent: everybody may write there. */
  posting?: Posting | undefined
  /** The parents of threads that an admin has locked. */
  lockedThreads?: string[]
  /** It is one agent's, for one task. */
  code?: CodeChannel
}

/** Admins write everywhere. Others: not at all (`admins`, `read_only`), in threads only, or outside of threads only. */
export type Posting = 'admins' | 'read_only' | 'threads_only' | 'no_threads'

/** Settings of a workspace that an app meets as refusals. */
export interface Rules {
  /** Messages can be edited so long; absent: for ever. */
  editWindowS?: number
  /** The plan allows no further message: https://slack.com/help/articles/115002422943 */
  isMessageLimitReached?: boolean
  /** What an admin lets apps upload; absent: everything. */
  uploads?: 'all' | 'images' | 'none'
  /** `tabbed`: free plans have those alone that stand in a channel's tabs. */
  canvases?: 'all' | 'tabbed' | 'none'
  /** `none`: the app has not switched them on, or the workspace has none. */
  workObjects?: 'all' | 'none'
  /** Agents may open code channels, which not every workspace has. */
  codeChannels?: boolean
}

export interface WorkspaceSeed {
  members: Member[]
  channels: Channel[]
}

/** The facts of a workspace itself. */
export interface Team {
  id: string
  name: string
  domain: string
}

/** That workspaces belong to (Enterprise Grid). Its id begins with `E`. */
export interface Organization {
  id: string
  name: string
}

/** An app as it is installed in a workspace. */
interface InstalledApp {
  id: string
  name: string
  botId: string
  userId: string
  /** Which let it into all of its workspaces. */
  organization?: Organization | undefined
}

/** Who and what there is in one workspace. */
export interface Roster {
  team: Team
  members: () => Member[]
  member: (id: string) => Member | undefined
  channels: () => Channel[]
  channel: (id: string) => Channel | undefined
  hasMember: (channelId: string, memberId: string) => boolean
  /** Also a new one. */
  saveChannel: (channel: Channel) => void
  /** Also a new one. */
  saveMember: (member: Member) => void
  /** Every app that is or was installed, oldest first. */
  apps: () => InstalledApp[]
  saveApp: (app: InstalledApp) => void
  rules: () => Rules
  saveRules: (rules: Rules) => void
}

/** A workspace from the side of one app. */
export interface Workspace extends Roster {
  app: InstalledApp
  /** The direct message of a member with the app. */
  dmOf(memberId: string): Channel | undefined
}

export function seenBy(roster: Roster, app: InstalledApp): Workspace {
  return {
    ...roster,
    app,
    dmOf: (memberId) =>
      roster
        .channels()
        .find(
          ({kind, memberIds}) =>
            kind === 'dm' && memberIds.includes(memberId) && memberIds.includes(app.userId),
        ),
  }
}

export function createRoster(database: SqlDatabase, team: Team, seed: WorkspaceSeed): Roster {
  const scope = team.id
  const members = openRecords<Member>(database, {kind: 'members', scope})
  const channels = openRecords<Channel>(database, {kind: 'channels', scope})
  const apps = openRecords<InstalledApp>(database, {kind: 'apps', scope})
  const rules = openRecords<Rules & {id: string}>(database, {kind: 'rules', scope})
  if (members.all().length === 0) {
    database.transaction(() => {
      for (const member of seed.members) members.save(member)
      for (const channel of seed.channels) channels.save(channel)
    })()
  }
  return {
    team,
    members: members.all,
    member: members.find,
    channels: channels.all,
    channel: channels.find,
    hasMember: (channelId, memberId) =>
      channels.find(channelId)?.memberIds.includes(memberId) ?? false,
    saveChannel: channels.save,
    saveMember: members.save,
    apps: apps.all,
    saveApp: apps.save,
    rules: () => rules.find(scope) ?? {},
    saveRules: (changed) => rules.save({...changed, id: scope}),
  }
}
