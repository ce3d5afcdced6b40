import type {WebClient} from '@slack/web-api'
import {SlackError, callSlack} from './calls.ts'
import type {Names} from './markup.ts'

const KEEP_MS = 3_600_000
/** A name that could not be had is asked for again sooner. */
const RETRY_MS = 60_000

/** Names of people and channels, remembered for an hour. What Slack does not tell is shown by its id. */
export function createNames(client: WebClient, nowMs: () => number = Date.now): Names {
  const remembered = new Map<string, {name: Promise<string>; untilMs: number}>()

  const remember = (id: string, look: () => Promise<string | undefined>): Promise<string> => {
    const known = remembered.get(id)
    if (known !== undefined && known.untilMs > nowMs()) return known.name
    const entry = {name: Promise.resolve(id), untilMs: nowMs() + KEEP_MS}
    entry.name = callSlack(look)
      .then((name) => name ?? id)
      .catch((error: unknown) => {
        if (!(error instanceof SlackError)) throw error
        entry.untilMs = nowMs() + RETRY_MS
        return id
      })
    remembered.set(id, entry)
    return entry.name
  }

  const user = (id: string): Promise<string> =>
    remember(id, async () => {
      const {user: found} = await client.users.info({user: id})
      return found?.profile?.display_name || found?.real_name || found?.name
    })

  const channel = (id: string): Promise<string> =>
    remember(id, async () => (await client.conversations.info({channel: id})).channel?.name)

  return {user, channel}
}
