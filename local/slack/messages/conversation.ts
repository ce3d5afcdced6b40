import type {Changes} from '../workspace/changes.ts'
import type {Content} from './content.ts'
import type {MessageMetadata, Messages, StoredMessage} from './messages.ts'
import {Refusal} from '../edge/refusal.ts'
import {isTs, type Timestamps} from './timestamps.ts'

type Draft = Omit<StoredMessage, 'ts' | 'reactions' | 'edited'>

interface Edit {
  content?: Content
  /** Absent: kept. */
  metadata?: MessageMetadata | 'none'
  by: string
  /** Slack draws no `(edited)` label when an edit carried blocks. */
  hasLabel: boolean
  /** Sends a reply to the channel as well. */
  isBroadcast?: true
  /** Absent: whoever edits a message that streams is refused. */
  streaming?: StoredMessage['streaming']
}

/** Everything that can happen to messages, whoever does it: recorded first, then published. */
export interface Conversation {
  /** Refuses replies to what does not stand in the channel. */
  post(draft: Draft): StoredMessage
  edit(message: StoredMessage, edit: Edit): StoredMessage
  remove(message: StoredMessage): void
  addReaction(message: StoredMessage, userId: string, name: string): void
  removeReaction(message: StoredMessage, userId: string, name: string): void
}

export function createConversation({
  messages,
  changes,
  timestamps,
}: {
  messages: Messages
  changes: Changes
  timestamps: Timestamps
}): Conversation {
  return {
    post: (draft) => {
      if (draft.threadTs !== undefined) requireParent(messages, draft.channel, draft.threadTs)
      const message: StoredMessage = {...draft, ts: timestamps.next(), reactions: []}
      messages.insert(message)
      changes.publish({type: 'posted', message})
      return message
    },
    edit: (previous, edit) => {
      const isLive = previous.streaming === 'in_progress' && edit.streaming === undefined
      if (isLive) throw new Refusal('streaming_state_conflict')
      const message = applyEdit(previous, edit, timestamps)
      messages.replace(message)
      changes.publish({type: 'edited', message, previous})
      return message
    },
    remove: (message) => {
      const isTombstone =
        message.ephemeralTo === undefined &&
        messages.thread(message.channel, message.ts) !== undefined
      messages.markDeleted(message)
      changes.publish({type: 'removed', message, isTombstone})
    },
    ...createReactions(messages, changes),
  }
}

/** Refuses a thread that is none: before anything else of a post takes effect. */
export function requireParent(messages: Messages, channel: string, threadTs: string): void {
  if (!isTs(threadTs)) throw new Refusal('invalid_thread_ts')
  const parent = messages.find(channel, threadTs) ?? messages.tombstone(channel, threadTs)
  if (parent === undefined) throw new Refusal('thread_not_found')
  const canHaveReplies = parent.threadTs === undefined && parent.ephemeralTo === undefined
  if (!canHaveReplies) throw new Refusal('cannot_reply_to_message')
}

function applyEdit(
  previous: StoredMessage,
  {content, metadata, by, hasLabel, isBroadcast, streaming}: Edit,
  timestamps: Timestamps,
): StoredMessage {
  const {blocks, attachments, metadata: oldMetadata, edited, text, ...rest} = previous
  const old: Content = {
    text,
    ...(blocks === undefined ? {} : {blocks}),
    ...(attachments === undefined ? {} : {attachments}),
  }
  const kept = metadata === 'none' ? undefined : (metadata ?? oldMetadata)
  const label = hasLabel ? {userId: by, ts: timestamps.next()} : content ? undefined : edited
  return {
    ...rest,
    ...(content ?? old),
    ...(kept === undefined ? {} : {metadata: kept}),
    ...(label === undefined ? {} : {edited: label}),
    ...(isBroadcast && {isBroadcast}),
    // An edit mends the broken mark of a stream that nobody stopped.
    ...(rest.streaming === undefined ? {} : {streaming: streaming ?? 'completed'}),
  }
}

function createReactions(
  messages: Messages,
  changes: Changes,
): Pick<Conversation, 'addReaction' | 'removeReaction'> {
  const save = (message: StoredMessage, reactions: StoredMessage['reactions']): StoredMessage => {
    const saved = {...message, reactions}
    messages.saveReactions(saved)
    return saved
  }
  return {
    addReaction: (message, userId, name) => {
      const before = message.reactions.find((reaction) => reaction.name === name)
      if (before?.userIds.includes(userId) === true) throw new Refusal('already_reacted')
      const grown = {name, userIds: [...(before?.userIds ?? []), userId]}
      const reactions =
        before === undefined
          ? [...message.reactions, grown]
          : message.reactions.map((reaction) => (reaction === before ? grown : reaction))
      const saved = save(message, reactions)
      changes.publish({type: 'reacted', verb: 'added', message: saved, userId, name})
    },
    removeReaction: (message, userId, name) => {
      const before = message.reactions.find((reaction) => reaction.name === name)
      if (before?.userIds.includes(userId) !== true) throw new Refusal('no_reaction')
      const reactions = message.reactions
        .map((reaction) =>
          reaction === before
            ? {name, userIds: before.userIds.filter((id) => id !== userId)}
            : reaction,
        )
        .filter(({userIds}) => userIds.length > 0)
      const saved = save(message, reactions)
      changes.publish({type: 'reacted', verb: 'removed', message: saved, userId, name})
    },
  }
}
