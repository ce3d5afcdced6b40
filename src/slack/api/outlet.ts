import type {FetchFunction} from '@slack/web-api'
import {Agent, type Dispatcher, fetch} from 'undici'
import {fenced} from '../../async/fence.ts'

/** Most calls are answered by then; a stop has to be over a few seconds later. */
const GRACE_MS = 3000
/** With others: what this instance works for has to be theirs three seconds after the signal. */
const SHARED_GRACE_MS = 1200
/** What would be lost for good with its answer may take so long; the process ends soon after. */
const ONCE_GRACE_MS = 7000

/** The way out for Slack's clients. */
interface Outlet extends AsyncDisposable {
  fetch: FetchFunction
  /** The same, for who may call for now only: what comes too late does not go out. */
  fetchWhile: (mayCall: () => boolean) => FetchFunction
  /** The same, for what Slack answers once, and no next start can ask again. */
  fetchOnce: FetchFunction
}

interface OutletOptions {
  isShared: boolean
  graceMs?: number
  onceGraceMs?: number
}

/**
 * When the bot stops, calls in flight get a grace, and what is then still without an answer is cut off: it stands as an
 * intent, and the next start settles it.
 */
export function createOutlet(
  stop: AbortSignal,
  {
    isShared,
    graceMs = isShared ? SHARED_GRACE_MS : GRACE_MS,
    onceGraceMs = ONCE_GRACE_MS,
  }: OutletOptions,
): Outlet {
  const agent = new Agent()
  const [cut, cutLast] = [new AbortController(), new AbortController()]
  const end = (): void => {
    setTimeout(() => cut.abort(), graceMs).unref()
    setTimeout(() => cutLast.abort(), onceGraceMs).unref()
  }
  if (stop.aborted) end()
  else stop.addEventListener('abort', end, {once: true})

  const fetchBy =
    (dispatcher: Dispatcher, over = cut.signal): FetchFunction =>
    (url, init) => {
      const signals = [over, ...(init?.signal ? [init.signal] : [])]
      const signal = AbortSignal.any(signals)
      return fetch(url, {...(init as Parameters<typeof fetch>[1]), signal, dispatcher})
    }
  return {
    fetch: fetchBy(agent),
    fetchWhile: (mayCall) => fetchBy(fenced(agent, mayCall)),
    fetchOnce: fetchBy(agent, cutLast.signal),
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}
