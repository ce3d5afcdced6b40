import type {InOrder} from '../../async/keyed-queue.ts'
import type {Claim, Owner} from './ownership.ts'

/** One claim from its beginning to its end, as this instance keeps it. */
export interface Tenure {
  readonly claim: Claim
  /** It is being given back, or is over. */
  isLeaving(): boolean
  /** Has the owner leave it, and then it is over. Never fails. */
  leave(): Promise<void>
  /** It is over at once; the owner leaves it afterwards. */
  lose(reason: string): void
}

interface TenureOptions extends Pick<Claim, 'name' | 'epoch'> {
  owner: Owner
  /** What the owner does for one name never overlaps, also where it loses that and has it again. */
  inOrder: InOrder
  /** Whether the deadline is still ahead. */
  isInTime: () => boolean
  /** Hears what the owner throws. */
  failed: (error: unknown) => void
  /** The owner could not take it. */
  onRefused: () => void
}

export function beginTenure(options: TenureOptions): Tenure {
  const {name, epoch, owner, inOrder, isInTime, failed, onRefused} = options
  const over = new AbortController()
  const mayCall = (): boolean => !over.signal.aborted && isInTime()
  const claim: Claim = {name, epoch, over: over.signal, mayCall}
  let left: Promise<void> | undefined

  const leaveOnce = (): Promise<void> =>
    (left ??= inOrder(name, () => owner.leave(claim)).catch(failed))

  inOrder(name, async () => {
    // What was lost while an earlier owner's leaving took its time is not begun.
    if (!over.signal.aborted) await owner.take(claim)
  }).catch((error: unknown) => {
    failed(error)
    onRefused()
  })

  return {
    claim,
    isLeaving: () => left !== undefined,
    leave: async () => {
      await leaveOnce()
      over.abort(new Error(`${name} was given back`))
    },
    lose: (reason) => {
      over.abort(new Error(`${name} was lost: ${reason}`))
      void leaveOnce()
    },
  }
}
