import type {FetchFunction} from '@slack/web-api'
import {Agent, type Dispatcher, fetch} from 'undici'
import {fenced} from '../../async/fence.ts'

/** Most calls are answered by then; a stop has to be over a few seconds later. */
const GRACE_MS = 3000
/** With others: what this instance works for has to be theirs three seconds after the signal. */
const SHARED_GRACE_MS = 1200

/** The way out for Slack's clients. */
interface Outlet extends AsyncDisposable {
  fetch: FetchFunction
  /** The same, for who may call for now only: what comes too late does not go out. */
  fetchWhile: (mayCall: () => boolean) => FetchFunction
}

interface OutletOptions {
  isShared: boolean
  graceMs?: number
}

/**
 * When the bot stops, calls in flight get a grace, and what is then still without an answer is cut off: it stands as an
 * intent, and the next start settles it.
 */
export function createOutlet(
  stop: AbortSignal,
  {isShared, graceMs = isShared ? SHARED_GRACE_MS : GRACE_MS}: OutletOptions,
): Outlet {
  const agent = new Agent()
  const cut = new AbortController()
  const end = (): void => void setTimeout(() => cut.abort(), graceMs).unref()
  if (stop.aborted) end()
  else stop.addEventListener('abort', end, {once: true})

  const fetchBy =
    (dispatcher: Dispatcher): FetchFunction =>
    (url, init) => {
      const signals = [cut.signal, ...(init?.signal ? [init.signal] : [])]
      const signal = AbortSignal.any(signals)
      return fetch(url, {...(init as Parameters<typeof fetch>[1]), signal, dispatcher})
    }
  return {
    fetch: fetchBy(agent),
    fetchWhile: (mayCall) => fetchBy(fenced(agent, mayCall)),
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}
