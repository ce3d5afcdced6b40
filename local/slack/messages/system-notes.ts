import type {Changes, WorkspaceChange} from '../workspace/changes.ts'
import type {Channel, Roster} from '../workspace/workspace.ts'
import type {Conversation} from './conversation.ts'
import type {SystemNote} from './messages.ts'

interface SystemNotesParts {
  roster: Roster
  changes: Changes
  conversation: Conversation
}

interface Note extends SystemNote {
  channel: string
  userId: string
  text: string
}

/**
 * Slack's own messages about what happens to the channels of a workspace:
 * https://docs.slack.dev/reference/events/message#subtypes
 */
export function postSystemNotes({roster, changes, conversation}: SystemNotesParts): void {
  changes.subscribe((change) => {
    if (!('channel' in change) || 'file' in change || 'threadTs' in change) return
    if (roster.channel(change.channel.id)?.kind !== 'channel') return
    const note = toNote(roster, change)
    if (note === undefined) return
    const {channel, userId, text, ...system} = note
    conversation.post({channel, userId, text, system})
  })
}

function toNote(
  roster: Roster,
  change: Exclude<Extract<WorkspaceChange, {channel: Channel}>, {file: unknown}>,
): Note | undefined {
  const {
    channel: {id: channel, name, previousNames = []},
  } = change
  const admin = roster.members().find(({isAdmin}) => isAdmin)?.id ?? ''
  switch (change.type) {
    case 'member_joined': {
      const {userId, inviterId} = change
      const facts = inviterId === undefined ? {} : {facts: {inviter: inviterId}}
      const text = `<@${userId}> has joined the channel`
      return {channel, userId, text, subtype: 'channel_join', ...facts}
    }
    case 'member_left': {
      const {userId} = change
      // Whoever leaves the company leaves the channels without a word.
      if (roster.member(userId)?.deactivated === true) return undefined
      return {channel, userId, text: `<@${userId}> has left the channel`, subtype: 'channel_leave'}
    }
    case 'channel_renamed': {
      const facts = {old_name: previousNames[0] ?? '', name}
      const text = `has renamed the channel from "${facts.old_name}" to "${name}"`
      return {channel, userId: admin, text, subtype: 'channel_name', facts}
    }
    case 'channel_archived':
    case 'channel_unarchived': {
      const verb = change.type === 'channel_archived' ? 'archive' : 'unarchive'
      const text = `<@${change.actorId}> ${verb}d the channel`
      return {channel, userId: change.actorId, text, subtype: `channel_${verb}`}
    }
    case 'code_channel_changed':
    case 'channel_created':
    case 'channel_connected':
    case 'channel_disconnected':
      return undefined
    default:
      throw new Error(`Unknown change: ${String(change satisfies never)}`)
  }
}
