import {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {createMemory} from '../../async/memory.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Place} from '../../store/tables/work/link.ts'
import {callPaced} from './paced.ts'
import {SlackError} from '../../once/slack-error.ts'

type Where = Pick<Place, 'channel' | 'slackThread'>

/** Addresses of Slack threads, each asked for once. */
export interface Permalinks {
  known(where: Where): string | undefined
  /** `undefined` when Slack does not tell it in time: nobody depends on it. */
  find(where: Where): Promise<string | undefined>
}

const WITHIN_MS = 2000
/** They never change. */
const MAX_KNOWN = 5000

export function createPermalinks({
  client,
  pacer,
  team,
}: {
  client: WebClient
  pacer: Pacer
  team: string
}): Permalinks {
  const known = createMemory<string>({most: MAX_KNOWN})
  const method = 'chat.getPermalink'

  const find: Permalinks['find'] = async (where) => {
    const before = known.of(keyOf(where))
    if (before !== undefined) return before
    const {channel, slackThread} = where
    const signal = AbortSignal.timeout(WITHIN_MS)
    try {
      const answer = await callPaced({pacer, team, channel, method, signal}, () =>
        client.chat.getPermalink({channel, message_ts: slackThread}),
      )
      const {data: permalink} = addressSchema.safeParse(answer?.permalink)
      if (permalink !== undefined) known.keep(keyOf(where), permalink)
      return permalink
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      return undefined
    }
  }
  return {known: (where) => known.of(keyOf(where)), find}
}

/** It is kept, and drawn in lists, which must not fail of it. */
const addressSchema = z.string().min(1)

function keyOf({channel, slackThread}: Where): string {
  return `${channel} ${slackThread}`
}
