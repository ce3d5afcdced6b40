import type {WebClient} from '@slack/web-api'
import type {Pacer} from '../relay/pacer.ts'
import type {Log} from '../relay/ports.ts'
import {SlackError, callSlack} from './calls.ts'

/** Whom to answer, and where they are looking. */
export interface Asker {
  channel: string
  user: string
  slackThread: string | undefined
}

/** Small signs for the one who asked. None of them is worth failing for, or waiting for. */
export interface Replies extends AsyncDisposable {
  /** A message that only this person sees. Call it once: it cannot be taken back or found again. */
  whisper(asker: Asker, text: string): void
  /** 👀: it is being worked on. */
  seen(channel: string, ts: string): void
  /** ✅: the agent platform has it. */
  admitted(channel: string, ts: string): void
  /** A direct message, for what can't be said where the work is. Call it once. */
  tell(user: string, text: string): void
}

interface RepliesOptions {
  client: WebClient
  pacer: Pacer
  team: string
  log: Log
}

/** How often Slack may say "not now" to one sign. */
const MAX_TRIES = 5

/** Reactions that are there already, or have nothing to stand on, are as good as made. */
const HARMLESS: readonly string[] = ['already_reacted', 'message_not_found']

export function createReplies({client, pacer, team, log}: RepliesOptions): Replies {
  const stop = new AbortController()
  const underway = new Set<Promise<void>>()

  /** A "not now" is a "no", so that the same may be asked again; of a lost answer nobody knows. */
  const attempt = async (
    method: string,
    channel: string,
    call: () => Promise<unknown>,
  ): Promise<void> => {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const ask = {team, channel, method, rank: 'final', sinceMs: 0, notBeforeMs: 0} as const
      if ((await pacer.next([ask], stop.signal)) === undefined) return
      try {
        await callSlack(call)
        return
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
        if (HARMLESS.includes(error.code)) return
        if (error.kind !== 'wait') {
          log.warn({err: error}, 'A sign to a person was lost')
          return
        }
        pacer.pause({team, method}, error.retryAfterMs)
      }
    }
  }

  const start = (method: string, channel: string, call: () => Promise<unknown>): void => {
    const work = attempt(method, channel, call)
      .catch((error: unknown) => log.error({err: error}, 'A sign to a person failed'))
      .finally(() => underway.delete(work))
    underway.add(work)
  }

  const react = (channel: string, timestamp: string, name: string): void => {
    start('reactions.add', channel, () => client.reactions.add({channel, timestamp, name}))
  }

  return {
    whisper: ({channel, user, slackThread}, text) => {
      const place = slackThread === undefined ? {} : {thread_ts: slackThread}
      start('chat.postEphemeral', channel, () =>
        client.chat.postEphemeral({channel, user, text, ...place}),
      )
    },
    seen: (channel, ts) => react(channel, ts, 'eyes'),
    admitted: (channel, ts) => react(channel, ts, 'white_check_mark'),
    // Slack opens the conversation by the user's id.
    tell: (user, text) => {
      start('chat.postMessage', user, () => client.chat.postMessage({channel: user, text}))
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all(underway)
    },
  }
}
