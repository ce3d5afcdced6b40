import type {WebClient} from '@slack/web-api'
import type {Pacer} from '../relay/pacer.ts'
import {SlackError, callSlack} from './calls.ts'

/** The web address of a message; `undefined` where Slack does not tell it in time. */
export type Permalinks = (place: {channel: string; ts: string}) => Promise<string | undefined>

const WITHIN_MS = 2000
/** They never change; the oldest are forgotten. */
const MAX_KNOWN = 2000

export function createPermalinks({
  client,
  pacer,
  team,
}: {
  client: WebClient
  pacer: Pacer
  team: string
}): Permalinks {
  const known = new Map<string, string>()
  const method = 'chat.getPermalink'

  return async ({channel, ts}) => {
    const key = `${channel} ${ts}`
    const before = known.get(key)
    if (before !== undefined) return before
    const ask = {team, channel, method, rank: 'final', sinceMs: 0, notBeforeMs: 0} as const
    if ((await pacer.next([ask], AbortSignal.timeout(WITHIN_MS))) === undefined) return undefined
    try {
      const {permalink} = await callSlack(() => client.chat.getPermalink({channel, message_ts: ts}))
      if (permalink !== undefined) known.set(key, permalink)
      const [oldest] = known.keys()
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
      return permalink
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait') pacer.pause({team, method}, error.retryAfterMs)
      return undefined
    }
  }
}
