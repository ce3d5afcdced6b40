import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Leaks} from '../../security/leaks.ts'
import type {InboxRow, InboxStore} from '../../store/tables/inbox.ts'
import {callPaced} from '../../slack/api/paced.ts'
import {isOfMessage, stopLaneOf} from '../../slack/incoming/arrival.ts'
import {type PersonsMessage, slackThreadOf} from '../../slack/incoming/message.ts'
import {SlackError, mayPass} from '../../once/slack-error.ts'
import type {Tools} from '../../slack/gate/tools.ts'

interface OvertakenOptions extends Pick<Tools, 'client' | 'pacer'> {
  inbox: InboxStore
  /** What was typed is cleaned of keys before it is written down, here as in the intake. */
  leaks: Leaks
}

/**
 * Replies that Slack delivered before the mention that they answer: there was no agent yet, so they were taken for talk
 * between people. Their rows are opened once more, with what they say by now.
 *
 * @throws {TryLater} when Slack does not say what they are.
 */
export type Overtaken = (message: PersonsMessage, handling: Handling) => Promise<void>

export function createOvertaken({inbox, client, pacer, leaks}: OvertakenOptions): Overtaken {
  const read = async (message: PersonsMessage, signal: AbortSignal) => {
    const {team, channel, ts} = message
    const method = 'conversations.replies'
    const stretch = {channel, ts: slackThreadOf(message), oldest: ts, limit: 1000}
    try {
      const page = await callPaced({pacer, team, channel, method, rank: 'state', signal}, () =>
        client.conversations.replies(stretch),
      )
      return page?.messages ?? []
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (mayPass(error)) throw new TryLater(error, error.retryAfterMs)
      // Where we may not read, nobody can say what they were.
      return []
    }
  }

  return async (message, {row, signal}) => {
    const lanes = [row.lane, stopLaneOf(message)]
    const handled = await Promise.all(lanes.map((lane) => inbox.handledBefore({id: row.id, lane})))
    const before = handled.flat().filter(({key}) => isReplyTo(key, message))
    if (before.length === 0) return
    const written = await read(message, signal)
    for (const {id, key} of before) {
      const own = written.find(({ts}) => ts !== undefined && key.endsWith(`,"${ts}"]`))
      if (own === undefined) continue
      const body = leaks.cleanAll(toBody(row, message, own))
      await inbox.reopen(id, JSON.stringify(body))
    }
  }
}

function isReplyTo(key: string, {channel, ts}: PersonsMessage): boolean {
  if (!isOfMessage(key)) return false
  const [kind, , at, own = ''] = JSON.parse(key) as string[]
  return kind === 'message' && at === channel && own > ts
}

/** As Slack would deliver it now. */
function toBody(
  {body}: Pick<InboxRow, 'body'>,
  {channel, isDirect}: PersonsMessage,
  own: object,
): object {
  const envelope = JSON.parse(body) as Record<string, unknown>
  const event = {...own, type: 'message', channel, ...(isDirect && {channel_type: 'im'})}
  return {...envelope, event}
}
