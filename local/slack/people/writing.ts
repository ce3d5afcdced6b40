import type {Conversation} from '../messages/conversation.ts'
import type {Files, StoredFile} from '../files/files.ts'
import type {FileSharing} from '../files/sharing.ts'
import type {Messages, StoredMessage} from '../messages/messages.ts'
import {restrictionOf} from '../workspace/restriction.ts'
import type {Channel, Member, Roster} from '../workspace/workspace.ts'
import {isUnfurl} from '../unfurls/unfurl.ts'
import {requireMember, requireMessage, requirePlace} from './require.ts'

/** What members write. Each refuses with an error what a person could not do in Slack. */
export interface Writing {
  /** The text is Slack mrkdwn with Slack's escapes; `@Bosun`, an app by its name, becomes a mention. */
  post(post: {
    as: string
    channel: string
    text: string
    threadTs?: string
    /** Sends a reply to the channel as well. */
    broadcast?: boolean
    files?: AttachedFile[]
    /** A message that goes along, as Slack's "Forward message" has it. */
    forward?: {channel: string; ts: string}
  }): Promise<StoredMessage>
  edit(edit: {as: string; channel: string; ts: string; text: string}): Promise<StoredMessage>
  /** Own messages, and those of the app: workspace settings let members delete them. */
  remove(removal: {as: string; channel: string; ts: string}): Promise<void>
  /** Of one's own: messages show that it was deleted. */
  removeFile(removal: {as: string; file: string}): Promise<void>
  react(reaction: {as: string; channel: string; ts: string; name: string}): Promise<void>
  unreact(reaction: {as: string; channel: string; ts: string; name: string}): Promise<void>
}

interface AttachedFile {
  name: string
  content: string | Uint8Array
  /** What is said in it, as Slack has transcribed it. */
  transcript?: string
}

export interface WritingParts {
  roster: Roster
  messages: Messages
  conversation: Conversation
  files: Files
  sharing: FileSharing
}

export function createWriting(parts: WritingParts): Writing {
  const {roster, messages, conversation, sharing} = parts
  const mention = (text: string): string =>
    roster
      .apps()
      .reduce((said, {name, userId}) => said.replaceAll(toMention(name), `<@${userId}>`), text)
  const seen = ({as, channel, ts}: {as: string; channel: string; ts: string}): StoredMessage => {
    requirePlace(roster, as, channel)
    return requireMessage(messages, {as, channel, ts})
  }
  return {
    post: async ({as, channel, text, threadTs, broadcast = false, files = [], forward}) => {
      const place = requirePlace(roster, as, channel)
      if (place.archived) throw new Error(`${channel} is archived: nobody can write there.`)
      requireOpen(requireMember(roster, as), place, threadTs)
      if (broadcast && threadTs === undefined) {
        throw new Error('Only a reply can be sent to the channel as well: name its thread.')
      }
      const draft = {
        channel,
        userId: as,
        text: mention(text),
        ...(threadTs === undefined ? {} : {threadTs}),
        ...(broadcast && {isBroadcast: true as const}),
        ...(forward !== undefined && {attachments: [toShare(parts, seen({as, ...forward}))]}),
      }
      if (files.length === 0) return conversation.post(draft)
      return sharing.share(attach(parts, as, files), draft)
    },
    edit: async ({text, ...target}) => {
      const message = seen(target)
      const isOwn = message.userId === target.as && message.system === undefined
      if (!isOwn) throw new Error('People can edit their own messages only.')
      return conversation.edit(message, {
        content: {text: mention(text), ...keptUnfurls(message, text)},
        by: target.as,
        hasLabel: true,
      })
    },
    remove: async (target) => {
      const message = seen(target)
      if (message.userId !== target.as && message.botId === undefined) {
        throw new Error("People can delete their own messages and the app's only.")
      }
      conversation.remove(message)
    },
    removeFile: async ({as, file: id}) => {
      const file = parts.files.find(id)
      if (file?.userId !== as) throw new Error('People can delete their own files only.')
      sharing.remove(file)
    },
    react: async ({name, ...target}) => conversation.addReaction(seen(target), target.as, name),
    unreact: async ({name, ...target}) =>
      conversation.removeReaction(seen(target), target.as, name),
  }
}

/** The previews of links that are still there. */
function keptUnfurls({attachments = []}: StoredMessage, text: string): {attachments?: unknown[]} {
  const kept = attachments.filter((one) => isUnfurl(one) && text.includes(one.from_url))
  return kept.length === 0 ? {} : {attachments: kept}
}

/** An admin may write everywhere. */
function requireOpen({isAdmin, name}: Member, channel: Channel, threadTs?: string): void {
  if (isAdmin || restrictionOf(channel, threadTs) === undefined) return
  throw new Error(`${name} may not write there: an admin has restricted ${channel.id}.`)
}

/** An app may be called anything; its name ends where no further letter follows. */
function toMention(name: string): RegExp {
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`@${literal}(?!\\w)`, 'gi')
}

/** How a forwarded message stands in the one that carries it. */
function toShare({roster}: WritingParts, {channel, ts, text, userId}: StoredMessage) {
  const author = roster.member(userId)
  return {
    is_share: true,
    is_msg_unfurl: true,
    ts,
    channel_id: channel,
    channel_team: roster.team.id,
    author_id: userId,
    author_name: author?.realName ?? '',
    author_subname: author?.displayName ?? '',
    fallback: text,
    text,
    mrkdwn_in: ['text'],
    footer: 'Slack Conversation',
  }
}

function attach({files}: WritingParts, userId: string, attached: AttachedFile[]): StoredFile[] {
  return attached.map(({name, content, transcript}) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const {file, ticket} = files.promise({
      ...{name, size: bytes.byteLength, userId},
      ...(transcript !== undefined && {transcript}),
    })
    files.upload(ticket, bytes)
    return file
  })
}
