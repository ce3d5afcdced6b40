import type {Channels} from '../workspace/channels.ts'
import type {Conversation} from '../messages/conversation.ts'
import type {Changes} from '../workspace/changes.ts'
import {newId} from '../new-id.ts'
import type {Messages} from '../messages/messages.ts'
import type {Usergroup, Usergroups} from '../workspace/usergroups.ts'
import type {Channel, Member, Posting, Roster, Rules} from '../workspace/workspace.ts'
import {requireChannel, requireMember} from './require.ts'

type NewMember = Pick<Member, 'name' | 'realName'> & Partial<Omit<Member, 'id'>>

/** What admins do, and what happens to the app without its doing. */
export interface Operator {
  /** `appId`: the first installed app without. */
  inviteBot(channel: string, appId?: string): Promise<void>
  kickBot(channel: string, appId?: string): Promise<void>
  invite(channel: string, memberId: string): Promise<void>
  kick(channel: string, memberId: string): Promise<void>
  archive(channel: string): Promise<void>
  unarchive(channel: string): Promise<void>
  rename(channel: string, name: string): Promise<void>
  /** Slack Connect: shares the channel with another company, and takes it back. */
  shareChannel(channel: string, teamId: string): Promise<void>
  unshareChannel(channel: string, teamId: string): Promise<void>
  createChannel(draft: {
    name: string
    memberIds: string[]
    isPrivate?: boolean
    kind?: Channel['kind']
  }): Promise<Channel>
  addMember(member: NewMember): Promise<Member>
  /** Makes somebody an admin of the workspace, or no admin any more. */
  setAdmin(memberId: string, isAdmin: boolean): Promise<void>
  /** Takes the person out of every channel, as Slack does. */
  deactivate(memberId: string): Promise<void>
  /** Whoever wrote it. */
  deleteMessage(channel: string, ts: string): Promise<void>
  /** A new one without an `id`. */
  saveUsergroup(
    usergroup: Omit<Usergroup, 'id' | 'createdS' | 'disabledS'> & {
      id?: string
      isDisabled?: boolean
    },
  ): Promise<Usergroup>
  /** What plan and settings of the workspace forbid, as a whole. */
  setRules(rules: Rules): Promise<void>
  /** Who may write in a channel besides admins. */
  restrictChannel(channel: string, posting: Posting | 'everyone'): Promise<void>
  lockThread(channel: string, threadTs: string): Promise<void>
  unlockThread(channel: string, threadTs: string): Promise<void>
}

export interface OperatorParts {
  roster: Roster
  messages: Messages
  conversation: Conversation
  changes: Changes
  channels: Channels
  usergroups: Usergroups
  now: () => number
}

export function createOperator(parts: OperatorParts): Operator {
  const {messages, conversation, changes, usergroups, now} = parts
  return {
    ...createChannelActs(parts),
    ...createMemberActs(parts),
    deleteMessage: async (channel, ts) => {
      const message = messages.find(channel, ts)
      if (message === undefined) throw new Error(`There is no message ${ts} in ${channel}.`)
      conversation.remove(message)
    },
    saveUsergroup: async ({isDisabled = false, ...draft}) => {
      const nowS = Math.floor(now() / 1000)
      const before = usergroups.find(draft.id ?? '')
      const usergroup: Usergroup = {
        id: newId('S'),
        ...draft,
        createdS: before?.createdS ?? nowS,
        ...(isDisabled ? {disabledS: nowS} : {}),
      }
      usergroups.save(usergroup)
      const type = before === undefined ? 'usergroup_created' : 'usergroup_updated'
      changes.publish({type, usergroup})
      return usergroup
    },
    setRules: async (rules) => parts.roster.saveRules(rules),
  }
}

type MemberActs = Pick<Operator, 'addMember' | 'setAdmin' | 'deactivate'>
type ChannelActs = Omit<Operator, keyof MemberActs | 'deleteMessage' | 'saveUsergroup' | 'setRules'>

function createChannelActs({roster, channels}: OperatorParts): ChannelActs {
  const admin = roster.members().find(({isAdmin}) => isAdmin)?.id ?? ''
  const botOf = (appId?: string): string => {
    const app = roster.apps().find(({id}) => id === (appId ?? id))
    if (app === undefined) throw new Error(`${appId ?? 'No app'} is not installed here.`)
    return app.userId
  }
  const one = (id: string): Channel => requireChannel(roster, id)
  const invite = async (id: string, memberId: string): Promise<void> => {
    channels.join(one(id), requireMember(roster, memberId).id, admin)
  }
  const kick = async (id: string, memberId: string): Promise<void> => {
    channels.leave(one(id), requireMember(roster, memberId).id, admin)
  }
  return {
    invite,
    kick,
    inviteBot: (id, appId) => invite(id, botOf(appId)),
    kickBot: (id, appId) => kick(id, botOf(appId)),
    archive: async (id) => void channels.setArchived(one(id), true, admin),
    unarchive: async (id) => void channels.setArchived(one(id), false, admin),
    rename: async (id, name) => void channels.rename(one(id), name),
    shareChannel: async (id, teamId) => void channels.connect(one(id), teamId),
    unshareChannel: async (id, teamId) => void channels.disconnect(one(id), teamId),
    restrictChannel: async (id, posting) =>
      void channels.restrict(one(id), posting === 'everyone' ? undefined : posting),
    lockThread: async (id, threadTs) => void channels.setLocked(one(id), threadTs, true),
    unlockThread: async (id, threadTs) => void channels.setLocked(one(id), threadTs, false),
    createChannel: async ({kind = 'channel', name, memberIds, isPrivate = false}) => {
      for (const id of memberIds) requireMember(roster, id)
      return channels.create({name, memberIds, kind, ...(isPrivate && {isPrivate})})
    },
  }
}

function createMemberActs({roster, changes, channels}: OperatorParts): MemberActs {
  return {
    addMember: async (draft) => {
      const member: Member = {
        id: newId('U'),
        displayName: draft.realName.split(' ')[0] ?? draft.realName,
        email: `${draft.name}@acme.test`,
        tz: 'Europe/Berlin',
        tzOffsetS: 3_600,
        isBot: false,
        isAdmin: false,
        ...draft,
      }
      roster.saveMember(member)
      changes.publish({type: 'member_added', member})
      return member
    },
    setAdmin: async (id, isAdmin) => {
      const member: Member = {...requireMember(roster, id), isAdmin}
      roster.saveMember(member)
      changes.publish({type: 'member_changed', member})
    },
    deactivate: async (id) => {
      const member: Member = {...requireMember(roster, id), deactivated: true}
      roster.saveMember(member)
      for (const channel of roster.channels()) {
        if (channel.kind === 'channel') channels.leave(channel, id, id)
      }
      changes.publish({type: 'member_changed', member})
    },
  }
}
