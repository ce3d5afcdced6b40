import type {Link} from '../../store/link.ts'
import type {Send} from '../../store/sends.ts'
import {type FollowUpDesk, goOn} from './sending.ts'
import {unarchiveWork} from './work.ts'

type Outcome = Awaited<ReturnType<typeof goOn>> | {outcome: 'expired'}

/** What somebody wrote a day ago may not be wanted any more. */
const KEEP_MS = 24 * 3_600_000

/**
 * Takes archived work out again and sends what was kept for it, exactly once.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function sendKept(
  desk: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<Outcome> {
  const {sends, nowMs} = desk
  if (send.state === 'kept' && nowMs() - send.createdAtMs > KEEP_MS) {
    await sends.move(send.id, ['kept'], 'cancelled')
    return {outcome: 'expired'}
  }
  if (link.state === 'archived') {
    const unarchived = await unarchiveWork(desk, link, signal)
    if (unarchived.outcome === 'declined') return unarchived
  }
  await sends.move(send.id, ['kept'], 'unsent')
  const [now, at] = await Promise.all([sends.byId(send.id), desk.links.byId(link.id)])
  return goOn(desk, at ?? link, now ?? send, signal)
}
