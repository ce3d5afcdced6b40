import type {Frame} from '../../src/platform/stream/frame.ts'
import type {Entry} from '../../src/platform/model.ts'

/** What happens to a thread, one thing after the other. */
export type Happening =
  | {what: 'say'; call: string; text: string}
  | {what: 'settle'; call: string}
  | {
      what:
        'tool' | 'user' | 'run-end' | 'rest' | 'cut' | 'rewind' | 'heartbeat' | 'dropped' | 'done'
    }

/** A thread of the platform as its stream tells it, section 6.3 rule by rule. */
export interface InMemoryThread {
  happen(happening: Happening): void
  /** Everything behind the cursor, the turn in progress, and then what happens. */
  follow(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Frame>
  entries: readonly Entry[]
  /** Deliveries whose run ended before they settled. */
  dead: ReadonlySet<string>
}

export function createInMemoryThread(): InMemoryThread {
  const entries: Entry[] = []
  const live = new Map<string, string>()
  const generations = new Map<string, number>()
  const dead = new Set<string>()
  let isOver = false
  const readers = new Set<{queue: Frame[]; wake: () => void}>()

  const emit = (...frames: Frame[]): void => {
    for (const reader of readers) {
      reader.queue.push(...frames)
      reader.wake()
    }
  }
  const idOf = (call: string): string => `${call}${generations.get(call) ?? 0}`
  const next = (call: string): void => void generations.set(call, (generations.get(call) ?? 0) + 1)
  const row = (index: number): Frame[] => {
    const entry = entries[index]
    return entry === undefined ? [] : [{type: 'transcript', entry, cursor: `c${index}`}]
  }
  const commit = (source: string, text: string, callId?: string): void => {
    const more = {tool: undefined, model: undefined, authorName: undefined, attachments: undefined}
    entries.push({id: `entry-${entries.length}`, source, text, callId, ...more})
    emit(...row(entries.length - 1))
  }
  const opening = (from: number): Frame[] => [
    {type: 'connected'},
    {type: 'status', status: 'active'},
    ...entries.slice(from).flatMap((_entry, index) => row(from + index)),
    ...[...live].map(([callId, text]): Frame => ({type: 'assistant', callId, text})),
    ...(isOver ? [{type: 'done'} as const] : []),
  ]

  const happen = (happening: Happening): void => {
    switch (happening.what) {
      case 'say': {
        const id = idOf(happening.call)
        live.set(id, (live.get(id) ?? '') + happening.text)
        emit({type: 'assistant', callId: id, text: happening.text})
        return
      }
      case 'settle': {
        const id = idOf(happening.call)
        const text = live.get(id) ?? `Said at once by ${id}.`
        live.delete(id)
        next(happening.call)
        commit('assistant', text, id)
        return
      }
      case 'tool':
      case 'user':
        commit(happening.what, 'a line')
        return
      case 'run-end':
        for (const id of live.keys()) {
          dead.add(id)
          next(id.charAt(0))
        }
        live.clear()
        emit({type: 'run', phase: 'end'})
        return
      case 'rest':
        emit({type: 'status', status: 'idle'})
        return
      case 'cut':
        emit(...opening(entries.length))
        return
      case 'rewind':
        emit({type: 'rewound'}, ...opening(0))
        return
      case 'heartbeat':
        emit({type: 'heartbeat'})
        return
      case 'dropped':
        emit({type: 'turn', phase: 'end', outcome: 'dropped'})
        return
      case 'done':
        isOver = true
        emit({type: 'done'})
        return
      default:
        throw new Error(`Unknown happening: ${JSON.stringify(happening satisfies never)}`)
    }
  }

  async function* follow(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Frame> {
    let wake = Promise.withResolvers<undefined>()
    const reader = {
      queue: opening(cursor === undefined ? 0 : Number(cursor.slice(1)) + 1),
      wake: () => wake.resolve(undefined),
    }
    readers.add(reader)
    signal.addEventListener('abort', () => wake.resolve(undefined), {once: true})
    try {
      while (!signal.aborted) {
        const frame = reader.queue.shift()
        if (frame !== undefined) {
          yield frame
          if (frame.type === 'done') return
          continue
        }
        await wake.promise
        wake = Promise.withResolvers()
      }
    } finally {
      readers.delete(reader)
    }
  }
  return {happen, follow, entries, dead}
}
