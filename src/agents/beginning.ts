import {PlatformError, PlatformRateLimited} from '../platform/errors.ts'
import type {OriginStore} from '../store/origins.ts'
import type {Channel, Knowing} from './knowing.ts'

/** What it takes to begin work where it belongs. */
export interface BeginningDesk {
  origins: Pick<OriginStore, 'begin' | 'settle'>
  knowing: Knowing
  nowMs: () => number
}

interface Beginning extends Channel {
  /** The same for the same work, however often it is asked for. */
  requestId: string
  /** `undefined`: the platform chooses it. */
  projectId: string | undefined
}

/** What the platform answered: the thread, and whether it stood there already. */
interface Begun {
  threadId: string | undefined
  isAdopted: boolean
}

/**
 * Has the platform begin work in a place. That the place is private is written down before the call, and with the
 * answer that the thread is: at no moment can it be taken for work that was begun elsewhere, also after a crash.
 *
 * @returns what was made, and whether it was begun by this request.
 * @throws what `create` throws.
 */
export async function beginIn<Made>(
  {origins, knowing, nowMs}: BeginningDesk,
  {team, channel, requestId, projectId}: Beginning,
  create: () => Promise<Made>,
  toBegun: (made: Made) => Begun,
): Promise<{made: Made; isBegunHere: boolean}> {
  if (!(await knowing.isPrivate({team, channel}))) {
    const made = await create()
    return {made, isBegunHere: !toBegun(made).isAdopted}
  }
  const isFirst = await origins.begin({requestId, projectId, nowMs: nowMs()})
  try {
    const made = await create()
    const {threadId, isAdopted} = toBegun(made)
    // What stood there already may be what this very request began before its answer was lost.
    const isBegunHere = !isAdopted || !isFirst
    await origins.settle(requestId, isBegunHere ? threadId : undefined)
    return {made, isBegunHere}
  } catch (error) {
    if (isRefusal(error)) await origins.settle(requestId, undefined)
    throw error
  }
}

/** Asked, and told no: nothing was begun. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof PlatformError) || error instanceof PlatformRateLimited) return false
  const {status} = error
  return status !== undefined && status >= 400 && status < 500
}
