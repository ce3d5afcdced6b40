import type {WebClient} from '@slack/web-api'
import type {Pacer} from '../relay/pacer.ts'
import type {Link} from '../store/links.ts'
import {SlackError, callSlack} from './calls.ts'

/** Addresses of Slack threads, each asked for once. */
export interface Permalinks {
  known(link: Link): string | undefined
  /** `undefined` when Slack does not tell it in time: nobody depends on it. */
  find(link: Link): Promise<string | undefined>
}

const MAX_KNOWN = 5000
const WITHIN_MS = 10_000

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

  const find: Permalinks['find'] = async ({id, place: {channel, slackThread}}) => {
    const before = known.get(id)
    if (before !== undefined) return before
    const method = 'chat.getPermalink'
    const ask = {team, channel, method, rank: 'spare', sinceMs: 0, notBeforeMs: 0} as const
    const late = AbortSignal.timeout(WITHIN_MS)
    if ((await pacer.next([ask], late)) === undefined) return undefined
    try {
      const {permalink} = await callSlack(() =>
        client.chat.getPermalink({channel, message_ts: slackThread}),
      )
      if (permalink === undefined) return undefined
      const [oldest] = known.keys()
      if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
      known.set(id, permalink)
      return permalink
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait') pacer.pause({team, method}, error.retryAfterMs)
      return undefined
    }
  }
  return {known: ({id}) => known.get(id), find}
}
