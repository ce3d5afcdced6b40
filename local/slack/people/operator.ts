import type {Channels} from '../workspace/channels.ts'
import type {Conversation} from '../messages/conversation.ts'
import type {Changes} from '../workspace/changes.ts'
import {newId} from '../new-id.ts'
import type {FileSharing, UploadPolicy} from '../files/sharing.ts'
import type {Messages} from '../messages/messages.ts'
import type {Usergroup, Usergroups} from '../workspace/usergroups.ts'
import type {Channel, Member, Workspace} from '../workspace/workspace.ts'

type NewMember = Pick<Member, 'name' | 'realName'> & Partial<Omit<Member, 'id'>>

/** What admins do, and what happens to the app without its doing. */
export interface Operator {
  inviteBot(channel: string): Promise<void>
  kickBot(channel: string): Promise<void>
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
  limitUploads(policy: UploadPolicy): Promise<void>
}

export interface OperatorParts {
  workspace: Workspace
  messages: Messages
  conversation: Conversation
  changes: Changes
  channels: Channels
  usergroups: Usergroups
  sharing: FileSharing
  now: () => number
}

export function createOperator(parts: OperatorParts): Operator {
  const {messages, conversation, changes, sharing, usergroups, now} = parts
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
    limitUploads: async (policy) => {
      sharing.policy = policy
    },
  }
}

type MemberActs = Pick<Operator, 'addMember' | 'deactivate'>
type ChannelActs = Omit<
  Operator,
  keyof MemberActs | 'deleteMessage' | 'saveUsergroup' | 'limitUploads'
>

function createChannelActs({workspace, channels}: OperatorParts): ChannelActs {
  const {userId} = workspace.app
  const admin = workspace.members().find(({isAdmin}) => isAdmin)?.id ?? userId
  const one = (id: string): Channel => requireChannel(workspace, id)
  const invite = async (id: string, memberId: string): Promise<void> => {
    channels.join(one(id), requireMember(workspace, memberId).id, admin)
  }
  const kick = async (id: string, memberId: string): Promise<void> => {
    channels.leave(one(id), requireMember(workspace, memberId).id, admin)
  }
  return {
    invite,
    kick,
    inviteBot: (id) => invite(id, userId),
    kickBot: (id) => kick(id, userId),
    archive: async (id) => void channels.setArchived(one(id), true, admin),
    unarchive: async (id) => void channels.setArchived(one(id), false, admin),
    rename: async (id, name) => void channels.rename(one(id), name),
    shareChannel: async (id, teamId) => void channels.connect(one(id), teamId),
    unshareChannel: async (id, teamId) => void channels.disconnect(one(id), teamId),
    createChannel: async ({kind = 'channel', memberIds, ...draft}) => {
      for (const id of memberIds) requireMember(workspace, id)
      return channels.create({...draft, memberIds, kind})
    },
  }
}

function createMemberActs({workspace, changes, channels}: OperatorParts): MemberActs {
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
      workspace.saveMember(member)
      changes.publish({type: 'member_added', member})
      return member
    },
    deactivate: async (id) => {
      const member: Member = {...requireMember(workspace, id), deactivated: true}
      workspace.saveMember(member)
      for (const channel of workspace.channels()) {
        if (channel.kind === 'channel') channels.leave(channel, id, id)
      }
      changes.publish({type: 'member_changed', member})
    },
  }
}

export function requireMember(workspace: Workspace, id: string): Member {
  const member = workspace.member(id)
  if (member === undefined) {
    const known = workspace.members().map((one) => one.id)
    throw new Error(`There is no member ${id}. Known: ${known.join(', ')}.`)
  }
  return member
}

export function requireChannel(workspace: Workspace, id: string): Channel {
  const channel = workspace.channel(id)
  if (channel === undefined) {
    const known = workspace.channels().map((one) => one.id)
    throw new Error(`There is no channel ${id}. Known: ${known.join(', ')}.`)
  }
  return channel
}
