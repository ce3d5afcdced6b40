import type {Store} from '../../store/store.ts'
import {readGithubEvent} from './github-events.ts'

interface EventIntakeOptions {
  store: Pick<Store, 'pullRequests' | 'hooks'>
  /** Something was said that somebody may have to show, here or elsewhere. */
  onNews: () => void
  nowMs?: () => number
}

/** What a code host has sent to a hook of its kind, its signature checked and its body read. */
interface CodeHostEvent {
  hookId: string
  /** GitHub's name of the event; empty where there is none. */
  event: string
  json: string
  signal: AbortSignal
}

/** `ignored`: it says nothing that is shown anywhere. `gone`: so is the hook. */
type Taken = 'accepted' | 'duplicate' | 'ignored' | 'gone'

/**
 * Takes what is said of pull requests. It is folded into what is known in one transaction, before its sender hears of it, and
 * the same once more changes nothing: so no delivery has to be remembered.
 */
export function createEventIntake({store, onNews, nowMs = Date.now}: EventIntakeOptions) {
  return async ({hookId, event, json, signal}: CodeHostEvent): Promise<Taken> => {
    const said = readGithubEvent(event, JSON.parse(json))
    const outcome = said && (await store.pullRequests.hear(hookId, said, nowMs(), signal))
    // Nobody waits for it, nor misses it: the next one is noted.
    store.hooks.heard(hookId, nowMs()).catch(() => undefined)
    if (outcome === undefined) return 'ignored'
    if (outcome === 'gone') return 'gone'
    if (outcome === 'new') onNews()
    return outcome === 'new' ? 'accepted' : 'duplicate'
  }
}
