import type {WebClient} from '@slack/web-api'
import type {Log} from '../relay/ports.ts'
import {SlackError, callSlack} from './calls.ts'

/** Whom to answer, and where they are looking. */
export interface Asker {
  channel: string
  user: string
  slackThread: string | undefined
}

/** Small signs for the one who asked. None of them is worth failing for. */
export interface Replies {
  /** A message that only this person sees. Call it once: it cannot be taken back or found again. */
  whisper(asker: Asker, text: string): Promise<void>
  /** 👀: it is being worked on. */
  seen(channel: string, ts: string): Promise<void>
  /** ✅: the agent platform has it. */
  admitted(channel: string, ts: string): Promise<void>
}

export function createReplies({client, log}: {client: WebClient; log: Log}): Replies {
  const attempt = async (
    call: () => Promise<unknown>,
    harmless: readonly string[],
  ): Promise<void> => {
    try {
      await callSlack(call)
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (!harmless.includes(error.code)) log.warn({err: error}, 'A sign to a person was lost')
    }
  }
  const react = (channel: string, timestamp: string, name: string): Promise<void> =>
    attempt(
      () => client.reactions.add({channel, timestamp, name}),
      ['already_reacted', 'message_not_found'],
    )
  return {
    whisper: ({channel, user, slackThread}, text) =>
      attempt(
        () =>
          client.chat.postEphemeral({
            channel,
            user,
            text,
            ...(slackThread !== undefined && {thread_ts: slackThread}),
          }),
        [],
      ),
    seen: (channel, ts) => react(channel, ts, 'eyes'),
    admitted: (channel, ts) => react(channel, ts, 'white_check_mark'),
  }
}
