import type {MessageView} from '../../page-feed/contract.ts'

/** Slack's `ts` is seconds, a dot and six digits: of one length, so that text order is time order. */
function compareTs(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** One message's newest state put in its place; the list stays ordered by `ts`. */
export function withMessage(
  messages: readonly MessageView[],
  message: MessageView,
): readonly MessageView[] {
  const at = messages.findLastIndex((other) => compareTs(other.ts, message.ts) <= 0)
  const stands = messages[at]?.ts === message.ts
  return messages.toSpliced(stands ? at : at + 1, stands ? 1 : 0, message)
}

export function withoutMessage(
  messages: readonly MessageView[],
  ts: string,
): readonly MessageView[] {
  return messages.filter((message) => message.ts !== ts)
}

function isReply(message: MessageView): boolean {
  return message.threadTs !== undefined && message.threadTs !== message.ts
}

function standsInChannel(message: MessageView): boolean {
  return !isReply(message) || message.isBroadcast === true
}

/**
 * What stands in the channel itself, replies that were sent there too among it. A deleted message on which replies hang keeps its place, as
 * in Slack: `ghost` says so there.
 */
export function channelMessages(messages: readonly MessageView[]): MessageView[] {
  const standing = messages.filter(standsInChannel)
  const known = new Set(standing.map(({ts}) => ts))
  const ghosts = [...repliesByRoot(messages)]
    .filter(([ts]) => !known.has(ts))
    .map(([ts, [reply]]) => ghost(ts, reply?.channel ?? ''))
  if (ghosts.length === 0) return standing
  return [...standing, ...ghosts].toSorted((left, right) => compareTs(left.ts, right.ts))
}

/** https://docs.slack.dev/reference/events/message/message_deleted: by Slackbot, in these words. */
function ghost(ts: string, channel: string): MessageView {
  const text = '_This message was deleted._'
  return {channel, ts, userId: 'USLACKBOT', text, edited: false, reactions: []}
}

/** https://docs.slack.dev/reference/methods/chat.postEphemeral: shown only if there is already an active thread. */
export function repliesTo(messages: readonly MessageView[], rootTs: string): MessageView[] {
  const all = messages.filter((message) => isReply(message) && message.threadTs === rootTs)
  return all.some(isForAll) ? all : []
}

/** What Slack counts below a message: ephemeral ones are no replies. */
export function repliesByRoot(messages: readonly MessageView[]): Map<string, MessageView[]> {
  const replies = messages.filter((message) => isReply(message) && isForAll(message))
  return Map.groupBy(replies, (message) => message.threadTs ?? message.ts)
}

function isForAll({ephemeralTo}: MessageView): boolean {
  return ephemeralTo === undefined
}

/** What a person has not read: new in the channel, or, in any thread, said to that person. */
export function unreadOf(
  messages: readonly MessageView[],
  {me, since, isDirect}: {me: string; since: string; isDirect: boolean},
): {count: number; mentions: number} {
  const fresh = messages.filter((message) => message.userId !== me && message.ts > since)
  const mentions = fresh.filter(
    (message) => isDirect || message.ephemeralTo === me || message.text.includes(`<@${me}>`),
  )
  const inChannel = fresh.filter(standsInChannel)
  return {count: new Set([...inChannel, ...mentions]).size, mentions: mentions.length}
}

/** Where the "New" line stands: at the oldest message of somebody else after `since`. */
export function firstUnread(
  messages: readonly MessageView[],
  {me, since}: {me: string; since: string},
): string | undefined {
  return messages.find(
    (message) => message.ts > since && message.userId !== me && standsInChannel(message),
  )?.ts
}

/** What Up in an empty composer edits: one's own newest message that still stands. */
export function lastOwn(messages: readonly MessageView[], me: string): MessageView | undefined {
  return messages.findLast(({userId, ephemeralTo}) => userId === me && ephemeralTo === undefined)
}
