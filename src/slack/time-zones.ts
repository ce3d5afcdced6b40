import type {WebClient} from '@slack/web-api'
import {SlackError, callSlack} from './calls.ts'

const KEEP_MS = 3_600_000
const RETRY_MS = 60_000

/** The time zone of a Slack user, as an IANA name; UTC where Slack does not tell. Remembered for an hour. */
export function createTimeZones(
  client: WebClient,
  nowMs: () => number = Date.now,
): (user: string) => Promise<string> {
  const remembered = new Map<string, {zone: string; untilMs: number}>()

  return async (user) => {
    const known = remembered.get(user)
    if (known !== undefined && known.untilMs > nowMs()) return known.zone
    try {
      const {user: found} = await callSlack(() => client.users.info({user}))
      const zone = found?.tz || 'UTC'
      remembered.set(user, {zone, untilMs: nowMs() + KEEP_MS})
      return zone
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      const zone = known?.zone ?? 'UTC'
      remembered.set(user, {zone, untilMs: nowMs() + RETRY_MS})
      return zone
    }
  }
}
