import type {Link} from '../../store/tables/work/link.ts'
import type {Send} from '../../store/tables/work/send.ts'
import {goOn} from './sending.ts'
import type {Pressed} from './waiting-sends.ts'
import {declinedBy, unarchiveWork, type FollowUpDeps} from '../lifecycle.ts'

type Outcome = Awaited<ReturnType<typeof goOn>> | {outcome: 'expired'}

/** What somebody wrote a day ago may not be wanted any more. */
const KEEP_MS = 24 * 3_600_000

/**
 * Takes archived work out again and sends what was kept for it, exactly once.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function sendKept(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  pressed: Pressed,
): Promise<Outcome> {
  if (send.state === 'kept' && deps.nowMs() - send.createdAtMs > KEEP_MS) {
    await deps.sends.move(send.id, ['kept'], 'cancelled')
    return {outcome: 'expired'}
  }
  return letGo(deps, link, send, pressed)
}

/**
 * Sends what a stop has held back, exactly once; archived work is taken out for it. What the platform refuses stays held.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function letGo(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  {row, signal}: Pressed,
): Promise<Awaited<ReturnType<typeof goOn>>> {
  const {sends} = deps
  if (send.state === 'kept' || send.state === 'held') {
    const spent = await declinedBy(deps, link)
    if (spent !== undefined) return spent
  }
  if (link.state === 'archived') {
    const unarchived = await unarchiveWork(deps, link, signal)
    if (unarchived.outcome === 'declined') return unarchived
  }
  await sends.release(send.id, ['kept', 'held'], 'unsent', row.id)
  const [now, at] = await Promise.all([sends.byId(send.id), deps.links.byId(link.id)])
  const outcome = await goOn(deps, at ?? link, now ?? send, signal)
  // Its sender can still see it, and say what is to become of it.
  if (await sends.move(send.id, ['refused'], send.state)) await deps.show(link.id)
  return outcome
}
