import {createMemory} from '../async/memory.ts'
import {createPlaces} from '../async/places.ts'
import type {PlatformClient} from '../platform/client.ts'
import {
  PlatformError,
  PlatformForbidden,
  PlatformRateLimited,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../platform/errors.ts'
import type {Secret} from '../security/secret.ts'
import type {Link} from '../store/tables/work/link.ts'

/**
 * `denied`: not the token of a session of that work; `isExpired`: it was one. `no-verification`: the platform does not
 * verify tokens. `busy`: it does not answer, or too many ask at once.
 */
export type Unproven =
  | {outcome: 'denied'; isExpired: boolean}
  | {outcome: 'busy'; retryAfterMs: number}
  | {outcome: 'no-verification'}

/** Asks the platform whose session a token proves (section 4.11). */
export interface SessionProof {
  /**
   * The first of these links of one thread, as with calls of people, whose key says that the token is of a session of
   * its work: of the thread, or of one of its tasks.
   */
  prove(token: Secret, links: readonly Link[], signal: AbortSignal): Promise<Link | Unproven>
  /** Whether the platform of this key verifies tokens at all. */
  isOffered(of: Pick<Link, 'connectionId'>, signal: AbortSignal): Promise<boolean>
}

interface SessionProofOptions {
  clientOf: (
    of: Pick<Link, 'connectionId'>,
  ) => Pick<PlatformClient, 'verifySession' | 'getTask' | 'listTasks'>
  /** Told the token of a session once it has proved to be one: nobody else may read it. */
  learn: (token: Secret) => void
}

/** Whoever has no token makes us ask the platform, too: not for everything at once, and not for one thread alone. */
const PLACES = {most: 16, mostOfOne: 12}
const BUSY_MS = 2000
/** Threads are shown with one key, or a few where several workspaces share an organization. */
const MAX_KEYS = 3
const VERIFY_WITHIN_MS = 10_000
/** A tree that is larger is not searched for one task. */
const MAX_TASKS = 2000
/** Sections 3.5 and 4.11: no token, and so nobody to learn from what is answered to it. */
const NO_TOKEN = 'none'
const OFFERED_MS = 3_600_000

export function createSessionProof({clientOf, learn}: SessionProofOptions): SessionProof {
  const take = createPlaces(PLACES)
  const offered = createMemory<boolean>({most: 1000})
  const tasks = createMemory<string>({most: 1000})

  /** Tasks stay where they are: what was found is not sought again. */
  const isTaskOf = async (link: Link, taskId: string, signal: AbortSignal): Promise<boolean> => {
    const known = tasks.of(taskId)
    if (known !== undefined) return known === link.threadId
    const client = clientOf(link)
    if (link.threadId === undefined || !(await isTask(client, taskId, signal))) return false
    let seen = 0
    for await (const {id} of client.listTasks(link.threadId, signal)) {
      if (id === taskId) {
        tasks.keep(taskId, link.threadId)
        return true
      }
      seen += 1
      if (seen >= MAX_TASKS) break
    }
    return false
  }

  const proveBy = async (
    token: Secret,
    links: readonly Link[],
    signal: AbortSignal,
  ): Promise<Link | Unproven> => {
    const byKey = [...new Map(links.toReversed().map((link) => [link.connectionId, link])).values()]
    let isExpired = false
    for (const link of byKey.toReversed().slice(0, MAX_KEYS)) {
      const late = AbortSignal.timeout(VERIFY_WITHIN_MS)
      const soon = AbortSignal.any([signal, late])
      try {
        const said = await clientOf(link).verifySession(token.reveal(), soon)
        if (!said.valid) {
          isExpired ||= said.reason === 'expired'
          continue
        }
        learn(token)
        const {threadId} = said
        if (threadId === undefined || (said.projectId ?? '') !== link.projectId) continue
        if (threadId === link.threadId || (await isTaskOf(link, threadId, soon))) return link
      } catch (error) {
        if (late.aborted) return {outcome: 'busy', retryAfterMs: BUSY_MS}
        if (!(error instanceof PlatformError)) throw error
        // This key can't ask: another one may.
        if (error instanceof PlatformUnauthorized || error instanceof PlatformForbidden) continue
        return troubleOf(error)
      }
    }
    return {outcome: 'denied', isExpired}
  }

  return {
    prove: async (token, links, signal) => {
      const giveBack = take(links[0]?.threadId ?? '')
      if (giveBack === undefined) return {outcome: 'busy', retryAfterMs: BUSY_MS}
      try {
        return await proveBy(token, links, signal)
      } finally {
        giveBack()
      }
    },
    isOffered: async (of, signal) => {
      const key = of.connectionId ?? ''
      const known = offered.of(key)
      if (known !== undefined) return known
      const late = AbortSignal.timeout(VERIFY_WITHIN_MS)
      try {
        await clientOf(of).verifySession(NO_TOKEN, AbortSignal.any([signal, late]))
        offered.keep(key, true, OFFERED_MS)
        return true
      } catch (error) {
        if (!(error instanceof PlatformError) && !late.aborted) throw error
        signal.throwIfAborted()
        // What passes by itself is asked again; in doubt it is not promised.
        if (error instanceof PlatformError && isAbsent(error)) offered.keep(key, false, OFFERED_MS)
        return false
      }
    },
  }
}

async function isTask(
  client: Pick<PlatformClient, 'getTask'>,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.getTask(id, signal)
    return true
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return false
    throw error
  }
}

/** Section 4.11 leaves it unclear whether the platform verifies tokens at all. */
const NO_SUCH_ENDPOINT: readonly (number | undefined)[] = [404, 405, 410, 501]

function isAbsent({status}: PlatformError): boolean {
  return NO_SUCH_ENDPOINT.includes(status)
}

function troubleOf(error: PlatformError): Unproven {
  if (isAbsent(error)) return {outcome: 'no-verification'}
  if (error instanceof PlatformRateLimited) {
    return {outcome: 'busy', retryAfterMs: error.retryAfterMs}
  }
  if (error instanceof PlatformUnreachable) return {outcome: 'busy', retryAfterMs: BUSY_MS}
  // It did not like the token itself.
  return {outcome: 'denied', isExpired: false}
}
