import type {FetchFunction} from '@slack/web-api'

/** Most calls are answered by then; a stop has to be over a few seconds later. */
const GRACE_MS = 3000

/**
 * The way out for Slack's client. When the bot stops, calls in flight get a grace, and what is then still without an
 * answer is cut off: it stands as an intent, and the next start settles it.
 */
export function createEndingFetch(stop: AbortSignal, graceMs = GRACE_MS): FetchFunction {
  const cut = new AbortController()
  const end = (): void => void setTimeout(() => cut.abort(), graceMs).unref()
  if (stop.aborted) end()
  else stop.addEventListener('abort', end, {once: true})

  return (url, init) => {
    const signals = [cut.signal, ...(init?.signal ? [init.signal] : [])]
    return fetch(url, {...init, signal: AbortSignal.any(signals)})
  }
}
