import {isWorking} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import type {Noise} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {
  Notification,
  NotificationKind,
  NotificationState,
} from '../../store/tables/work/notifications.ts'

/** How a thread stands, as far as calling somebody goes. */
export interface Scene {
  state: Link['state']
  /** As the stream last said it; `undefined` until it has. */
  status: string | undefined
  statusSinceMs: number
  /** As it was last read. */
  needsYou: boolean
  /** A plan waits for a word. */
  isPlanned?: boolean
  /** When the run in progress began, or the one that ended last and that nobody was called for yet. */
  runSinceMs: number | undefined
  stoppedBy: string | undefined
  /**
   * `read`: the thread was read since it came to rest, so whatever must be known is. `begun`: a run begins. `heard`:
   * anything else.
   */
  as: 'read' | 'begun' | 'heard'
  noise: Noise
}

export interface Decision {
  ended: {notification: Notification; state: Exclude<NotificationState, 'open'>}[]
  wanted: {kind: NotificationKind; key: string; ranMs: number | undefined} | undefined
  /** Whoever had to be called for the run that ended has been. */
  isRunOver: boolean
}

/** Runs that take longer are worth a word when they end. */
export const LONG_RUN_MS = 60_000

/**
 * Who has to be called now, and which calls are over. One state calls once: an open call stands for as long as its state
 * does, also across restarts, and the key of one that has ended is never called again. Pure.
 */
export function decide(scene: Scene, notifications: readonly Notification[]): Decision {
  const open = notifications.filter(({state}) => state === 'open')
  const end = (
    ended: readonly Notification[],
    state: Exclude<NotificationState, 'open'>,
  ): Decision => ({
    ended: ended.map((notification) => ({notification, state})),
    wanted: undefined,
    isRunOver: false,
  })
  if (scene.state !== 'open') return end(open, 'over')
  if (scene.as === 'begun' || isAtWork(scene)) return end(open, 'answered')
  if (scene.as !== 'read' || scene.status === undefined) return end([], 'over')
  const kind = kindOf(scene)
  const past = end(
    open.filter((notification) => notification.kind !== kind),
    'answered',
  )
  const key = `${kind ?? ''}:${scene.runSinceMs ?? scene.statusSinceMs}`
  const isCalled = notifications.some(
    (notification) =>
      notification.key === key || (open.includes(notification) && notification.kind === kind),
  )
  if (kind === undefined || isCalled || !isWanted(kind, scene)) return {...past, isRunOver: true}
  return {...past, wanted: {kind, key, ranMs: ranMs(scene)}, isRunOver: true}
}

/** Work that waits for somebody else may need us all the same. */
function isAtWork(scene: Scene): boolean {
  return isWorking(shownStatus(scene))
}

function kindOf(scene: Scene): NotificationKind | undefined {
  switch (shownStatus(scene)) {
    case 'pending_user':
      return 'needs-you'
    case 'ready_for_review':
      return scene.isPlanned ? 'needs-you' : 'review'
    case 'failed':
    case 'error':
      return 'failed'
    case 'idle':
      return 'done'
    default:
      return undefined
  }
}

/** A question stands until it is answered; of everything else only the end of a run that we saw is news. */
function isWanted(kind: NotificationKind, scene: Scene): boolean {
  if (kind === 'needs-you') return true
  const ran = ranMs(scene)
  if (ran === undefined) return false
  switch (kind) {
    case 'failed':
      return true
    case 'review':
      return scene.noise !== 'quiet'
    case 'done':
      if (scene.stoppedBy !== undefined || scene.noise === 'quiet') return false
      return ran > LONG_RUN_MS || scene.noise === 'verbose'
    default:
      throw new Error(`Unknown call: ${String(kind satisfies never)}`)
  }
}

function ranMs({runSinceMs, statusSinceMs}: Scene): number | undefined {
  return runSinceMs === undefined ? undefined : Math.max(0, statusSinceMs - runSinceMs)
}
