import {createBackground} from '../async/background.ts'
import {createKeyedQueue} from '../async/keyed-queue.ts'
import {aborted, pause} from '../async/pause.ts'

/** Brings to Slack what our table says should stand there: each once, whatever fails in between. */
interface Poster<Item, Settled> extends AsyncDisposable {
  /** Our table says something that Slack may not show yet. */
  wake: () => void
  /** Brings one of them to where it should be. `late`: the signal came first; it is brought there all the same. */
  settle(item: Item, signal: AbortSignal): Promise<Settled | 'late'>
}

interface PosterOptions<Item, Settled> {
  /** What does not stand as it should yet, oldest first: not necessarily all of it. */
  due: () => Promise<readonly Item[]>
  /** When the next of those is due that are held back. */
  nextDueAtMs?: () => Promise<number | undefined>
  /** Those of one key come one after the other. */
  keyOf: (item: Item) => string
  /** `undefined`: the signal came first. */
  makeOnce: (item: Item, signal: AbortSignal) => Promise<Settled | undefined>
  /** Our own store, or a bug: it is tried again. */
  onFailure: (error: unknown) => void
}

const TROUBLE_MS = 30_000
/** A timer of Node's must not be longer than 24 days, and a clock may be set. */
const MAX_SLEEP_MS = 60_000

export function createPoster<Item extends {id: string}, Settled>({
  due,
  nextDueAtMs,
  keyOf,
  makeOnce,
  onFailure,
}: PosterOptions<Item, Settled>): Poster<Item, Settled> {
  const stop = new AbortController()
  const inOrder = createKeyedQueue()
  /** What is being brought to Slack, by id. */
  const underway = new Map<string, Promise<Settled | 'late'>>()
  /** Something happened to them while they were on their way. */
  const again = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const trouble = async (error: unknown): Promise<void> => {
    if (stop.signal.aborted) return
    onFailure(error)
    await pause(TROUBLE_MS, stop.signal)
    wake()
  }
  const background = createBackground(trouble)

  const start = (item: Item): Promise<Settled | 'late'> => {
    const {id} = item
    const known = underway.get(id)
    if (known !== undefined) return known
    const end = (): void => {
      underway.delete(id)
      if (again.delete(id)) wake()
    }
    const work = inOrder(keyOf(item), () => makeOnce(item, stop.signal))
      .then((settled) => settled ?? 'late')
      .catch((error: unknown): 'late' => {
        background.keep(trouble(error))
        return 'late'
      })
      .finally(end)
    underway.set(id, work)
    return work
  }

  const look = async (): Promise<void> => {
    const fresh: Promise<Settled | 'late'>[] = []
    for (const item of await due()) {
      if (underway.has(item.id)) again.add(item.id)
      else fresh.push(start(item))
    }
    await sleepUntilDue()
    const ends = await Promise.all(fresh)
    // There may be more than were read in one go.
    if (ends.some((end) => end !== 'late')) wake()
  }

  const sleepUntilDue = async (): Promise<void> => {
    const nextMs = await nextDueAtMs?.()
    clearTimeout(timer)
    if (nextMs === undefined || stop.signal.aborted) return
    timer = setTimeout(wake, Math.min(Math.max(nextMs - Date.now(), 1), MAX_SLEEP_MS)).unref()
  }

  const wake = (): void => {
    if (!stop.signal.aborted) background.keep(look())
  }

  return {
    wake,
    settle: (item, signal) =>
      Promise.race([start(item), aborted(signal).then((): 'late' => 'late')]),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      clearTimeout(timer)
      await background.ended()
      await Promise.all(underway.values())
    },
  }
}
