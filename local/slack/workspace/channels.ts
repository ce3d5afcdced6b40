import type {Changes} from './changes.ts'
import type {CodeChannel} from './code-channel.ts'
import {newId} from '../new-id.ts'
import {Refusal} from '../edge/refusal.ts'
import type {Channel, Posting, Roster} from './workspace.ts'

interface NewChannel {
  kind: Channel['kind']
  name: string
  memberIds: string[]
  isPrivate?: boolean
  code?: CodeChannel
}

/** Everything that can happen to channels, whoever does it: recorded first, then published. */
export interface Channels {
  create(channel: NewChannel): Channel
  /** Nothing when the member is there already. */
  join(channel: Channel, userId: string, inviterId?: string): Channel
  leave(channel: Channel, userId: string, actorId: string): Channel
  setArchived(channel: Channel, archived: boolean, actorId: string): Channel
  /** Refuses with `invalid_name` and `name_taken`. */
  rename(channel: Channel, name: string): Channel
  /** With another company: https://docs.slack.dev/apis/slack-connect */
  connect(channel: Channel, teamId: string): Channel
  disconnect(channel: Channel, teamId: string): Channel
  /** `undefined`: everybody may write again. */
  restrict(channel: Channel, posting: Posting | undefined): Channel
  setLocked(channel: Channel, threadTs: string, isLocked: boolean): Channel
  /** Of a code channel. */
  setCode(channel: Channel, code: CodeChannel): Channel
  /** A name that is free, made of any words. */
  nameFor(words: string): string
}

interface ChannelsParts {
  roster: Roster
  changes: Changes
  now: () => number
}

export function createChannels({roster, changes, now}: ChannelsParts): Channels {
  const save = (channel: Channel): Channel => {
    roster.saveChannel(channel)
    return channel
  }
  return {
    create: (draft) => {
      if (draft.kind === 'channel') requireName(roster, draft.name)
      const id = newId(draft.kind === 'dm' ? 'D' : 'C')
      const createdS = Math.floor(now() / 1000)
      const channel = save({id, archived: false, createdS, ...draft})
      if (channel.kind === 'channel') changes.publish({type: 'channel_created', channel})
      return channel
    },
    ...createMembership(changes, save),
    restrict: (channel, posting) => save({...channel, posting}),
    setLocked: (channel, threadTs, isLocked) => {
      const others = (channel.lockedThreads ?? []).filter((ts) => ts !== threadTs)
      return save({...channel, lockedThreads: isLocked ? [...others, threadTs] : others})
    },
    setCode: (channel, code) => {
      const saved = save({...channel, code})
      changes.publish({type: 'code_channel_changed', channel: saved})
      return saved
    },
    nameFor: (words) => freeName(roster, words),
    setArchived: (channel, archived, actorId) => {
      if (channel.archived === archived) return channel
      const saved = save({...channel, archived})
      const type = archived ? 'channel_archived' : 'channel_unarchived'
      changes.publish({type, channel: saved, actorId})
      return saved
    },
    rename: (channel, name) => {
      requireName(roster, name)
      const previousNames = [channel.name, ...(channel.previousNames ?? [])]
      const saved = save({...channel, name, previousNames})
      changes.publish({type: 'channel_renamed', channel: saved})
      return saved
    },
    connect: (channel, teamId) => {
      const others = (channel.connectedTeamIds ?? []).filter((id) => id !== teamId)
      const saved = save({...channel, connectedTeamIds: [...others, teamId]})
      changes.publish({type: 'channel_connected', channel: saved, teamId})
      return saved
    },
    disconnect: (channel, teamId) => {
      const others = (channel.connectedTeamIds ?? []).filter((id) => id !== teamId)
      const stays = (id: string): boolean => roster.member(id)?.teamId !== teamId
      const memberIds = channel.memberIds.filter(stays)
      const saved = save({...channel, memberIds, connectedTeamIds: others})
      changes.publish({type: 'channel_disconnected', channel: saved, teamId})
      return saved
    },
  }
}

function createMembership(
  changes: Changes,
  save: (channel: Channel) => Channel,
): Pick<Channels, 'join' | 'leave'> {
  return {
    join: (channel, userId, inviterId) => {
      if (channel.memberIds.includes(userId)) return channel
      const saved = save({...channel, memberIds: [...channel.memberIds, userId]})
      const inviter = inviterId === undefined ? {} : {inviterId}
      changes.publish({type: 'member_joined', channel: saved, userId, ...inviter})
      return saved
    },
    leave: (channel, userId, actorId) => {
      if (!channel.memberIds.includes(userId)) return channel
      const memberIds = channel.memberIds.filter((id) => id !== userId)
      const saved = save({...channel, memberIds})
      changes.publish({type: 'member_left', channel: saved, userId, actorId})
      return saved
    },
  }
}

function requireName(roster: Roster, name: string): void {
  if (!/^[\p{Ll}\p{Lo}\p{N}_-]{1,80}$/u.test(name)) throw new Refusal('invalid_name')
  if (isTaken(roster, name)) throw new Refusal('name_taken')
}

function isTaken(roster: Roster, name: string): boolean {
  return roster.channels().some((one) => one.kind === 'channel' && one.name === name)
}

function freeName(roster: Roster, words: string): string {
  const plain = words.toLowerCase().replace(/[^\p{Ll}\p{Lo}\p{N}]+/gu, '-')
  const name = plain.replace(/^-|-$/g, '').slice(0, 70).replace(/-$/, '') || 'task'
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!isTaken(roster, free)) return free
  }
}
