import type {Frame} from '../../platform/stream/frame.ts'
import type {Clock} from '../../async/clock.ts'

/**
 * What a new connection brings again: the status comes first, and only behind it what was said meanwhile (section 6.2).
 * Nothing marks the end; what cannot belong to it does, or that nothing came for a while.
 */
interface Replay {
  hear(frame: Frame): void
  isUnderWay(): boolean
}

/** Longer than a connection pauses that still has something to bring. */
const LULL_MS = 5000
/** Longer than a connection takes that replaces one which was cut in mid-replay. */
const BROKEN_MS = 60_000

/** `onLull`: it is over because nothing more came. */
export function createReplay({clock, onLull}: {clock: Clock; onLull: () => void}): Replay {
  let cancel: (() => void) | undefined

  const end = (): void => {
    cancel?.()
    cancel = undefined
  }
  const wait = (ms = LULL_MS): void => {
    end()
    cancel = clock.after(ms, () => {
      cancel = undefined
      onLull()
    })
  }

  const hear: Replay['hear'] = ({type}) => {
    switch (type) {
      case 'connected':
        wait()
        return
      case 'status':
      case 'transcript':
      case 'rewound':
        if (cancel !== undefined) wait()
        return
      case 'broken':
        if (cancel !== undefined) wait(BROKEN_MS)
        return
      case 'task':
      case 'error':
      case 'disconnected':
        return
      case 'run':
      case 'turn':
      case 'assistant':
      case 'tool_call':
      case 'heartbeat':
      case 'done':
        end()
        return
      default:
        throw new Error(`Unknown frame: ${String(type satisfies never)}`)
    }
  }
  return {hear, isUnderWay: () => cancel !== undefined}
}
