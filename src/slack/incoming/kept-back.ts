import {z} from 'zod'
import {parseJson} from '../../security/foreign-json.ts'
import type {Log} from '../../relay/ports.ts'
import {parserOf} from './who.ts'

const TYPE = 'app_rate_limited'

/**
 * The workspace of which Slack keeps events back, since there are more than 30,000 in an hour; it is said once in each such minute:
 * https://docs.slack.dev/reference/events/app_rate_limited
 */
export const parseKeptBack = parserOf(
  z.object({type: z.literal(TYPE), team_id: z.string()}),
  ({team_id: team}) => team,
)

const envelope = z.looseObject({
  type: z.literal('events_api'),
  payload: z.looseObject({type: z.literal(TYPE)}),
})

/** A frame of Socket Mode in which Slack's client finds an event: over this one that has none it stumbles, and acknowledges nothing. */
export function withEvent(frame: unknown): unknown {
  if (typeof frame !== 'string' || !frame.includes(`"${TYPE}"`)) return frame
  const {data} = envelope.safeParse(parseJson(frame))
  if (data === undefined || 'event' in data.payload) return frame
  return JSON.stringify({...data, payload: {...data.payload, event: {type: TYPE}}})
}

/** What is heard of that, for those who run Bosun. */
interface KeptBack {
  heard(team: string): void
  /** Of the last hour. */
  explain(): string | undefined
}

const TOLD_FOR_MS = 3_600_000

export function createKeptBack({log, nowMs}: {log: Log; nowMs: () => number}): KeptBack {
  const lastMs = new Map<string, number>()
  const isOfLately = (atMs: number | undefined) =>
    atMs !== undefined && nowMs() - atMs < TOLD_FOR_MS
  return {
    heard: (team) => {
      if (!isOfLately(lastMs.get(team))) log.warn({team}, WORDS)
      lastMs.set(team, nowMs())
    },
    explain: () => {
      const teams = [...lastMs].flatMap(([team, atMs]) => (isOfLately(atMs) ? [team] : []))
      if (teams.length === 0) return undefined
      return `Slack counts more than 30,000 events of ${teams.join(', ')} in an hour, and keeps some back`
    },
  }
}

const WORDS =
  'Slack keeps events of this workspace back, since there are more than 30,000 in an hour: some of what people write does not arrive'
