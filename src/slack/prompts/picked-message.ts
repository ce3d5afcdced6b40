import type {WebClient} from '@slack/web-api'
import {TryLater} from '../../inbox/try-later.ts'
import type {Leaks} from '../../security/leaks.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {SlackError, askAgainAfterMs} from '../../once/slack-error.ts'
import {callPaced} from '../api/paced.ts'
import {type SharedFile, filesIn} from '../incoming/message.ts'
import {type Ourselves, isOurs} from '../incoming/ourselves.ts'
import {type Names, firstOf} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {QuotedMessage, QuotedReader} from './quoting.ts'
import {isSaid, readSaid, toQuoted} from './said.ts'

/** A message that somebody pointed at, without its words having come along. */
export interface PickedMessage {
  /** Of the message that it is a reply to. */
  threadTs: string | undefined
  /** It is one of ours. */
  isOurs: boolean
  quoted: QuotedMessage
  files: SharedFile[]
}

/**
 * Reads it as it stands now; `undefined` where there is none, or none any more.
 *
 * @throws {TryLater} when Slack does not say now.
 */
export type MessageReader = (
  at: {channel: string; ts: string},
  signal: AbortSignal,
) => Promise<PickedMessage | undefined>

interface MessageReaderOptions extends Ourselves {
  client: WebClient
  pacer: Pacer
  team: string
  names: Names
  readQuoted: QuotedReader
  leaks: Leaks
}

export function createMessageReader(options: MessageReaderOptions): MessageReader {
  const {client, pacer, team, names, readQuoted, leaks} = options

  const find = async (channel: string, ts: string, signal: AbortSignal) => {
    const method = 'conversations.replies'
    try {
      const told = await callPaced({pacer, team, channel, method, signal}, () =>
        client.conversations.replies({channel, ts, ...exactly(ts), limit: 2}),
      )
      // The end of the process: the next one asks.
      if (told === undefined) throw new TryLater(undefined)
      return told.messages ?? []
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      const afterMs = askAgainAfterMs(error)
      if (afterMs !== undefined) throw new TryLater(error, afterMs)
      return []
    }
  }

  return async ({channel, ts}, signal) => {
    const found = (await find(channel, ts, signal)).flatMap((told) => {
      const message = readSaid(told, options)
      return message?.ts === ts && isSaid(message) ? [message] : []
    })[0]
    if (found === undefined) return undefined
    const {thread_ts: parent, user, bot_id: botId} = found
    const quoted = await toQuoted(found, {names: firstOf(names), readQuoted})
    return {
      threadTs: parent === ts ? undefined : parent,
      isOurs: isOurs({user, botId}, options),
      // What is picked is written down: keys are not.
      quoted: leaks.cleanAll(quoted, texts.quoting.about.removed) as QuotedMessage,
      files: filesIn(found),
    }
  }
}

/** Also of a reply, whose parent Slack may tell first. */
function exactly(ts: string) {
  return {oldest: ts, latest: ts, inclusive: true}
}
