import type {FetchFunction} from '@slack/web-api'

interface SlackTimeOptions {
  slackApiUrl: string
  fetch: FetchFunction
  /** Told the `Date` of the answer. */
  onDate: (date: string | null) => void
  onSilence: () => void
  everyMs?: number
}

const EVERY_MS = 60_000
const ANSWER_WITHIN_MS = 5000

/**
 * Has Slack say what time it is, once a minute at most: whoever refuses all that Slack delivers has nothing else to ask it,
 * and would never hear that the clock is at fault. The method needs no token: https://docs.slack.dev/reference/methods/api.test
 */
export function createSlackTime({
  slackApiUrl,
  fetch,
  onDate,
  onSilence,
  everyMs = EVERY_MS,
}: SlackTimeOptions): () => void {
  let askedMs = -Infinity
  const ask = async (): Promise<void> => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const {headers} = await fetch(`${slackApiUrl}api.test`, {method: 'POST', signal})
    onDate(headers.get('date'))
  }
  return () => {
    if (performance.now() - askedMs < everyMs) return
    askedMs = performance.now()
    // Whoever looks next asks again.
    ask().catch(onSilence)
  }
}
