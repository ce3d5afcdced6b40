import type {Db} from 'pg-boss'
import {pause} from '../../async/pause.ts'
import type {Holdings} from './holdings.ts'
import {elapsedMs, moment} from './moment.ts'
import type {Owner} from './ownership.ts'
import {createSharing, shareOf} from './share.ts'
import {look} from './sight.ts'

const EVERY_MS = 1000
/** Whoever has more or less than their share looks more often: others wait for it, or it waits for them. */
const UNEVEN_MS = 250
/** So many are claimed at once. */
const BATCH = 100

interface RoundsOptions {
  pool: Db
  /** By which this instance counts among the living. */
  member: {start(): Promise<unknown>; stop(how: {graceful: boolean}): Promise<void>}
  holdings: Pick<
    Holdings,
    'take' | 'touch' | 'giveBack' | 'working' | 'leaving' | 'heldLong' | 'loseSilent'
  >
  instance: string
  failed: (error: unknown) => void
}

/** Each second: what is held is touched, the living are counted, and what is too much or too little is evened out. */
export function createRounds({pool, member, holdings, instance, failed}: RoundsOptions) {
  const stop = new AbortController()
  let owner: Owner | undefined
  let living = 1
  let isMember = false
  const sharing = createSharing()
  let rest = new AbortController()
  let running: Promise<unknown> = Promise.resolve()

  /** How long until the next one. */
  const round = async (taker: Owner): Promise<number> => {
    if (!isMember) await join()
    const working = holdings.working()
    const hands = {working: working.length, leaving: holdings.leaving()}
    const sight = await look(pool, instance)
    living = sight.living
    const {give, lack} = sharing(sight, hands)
    if (lack > 0) return takeMore(taker, lack)
    // Any of them: the oldest of one instance may be the busiest.
    keepGiving(shuffled(working).slice(0, give))
    keepGiving(holdings.heldLong())
    return working.length > shareOf(sight) ? UNEVEN_MS : EVERY_MS
  }

  const takeMore = async (taker: Owner, lack: number): Promise<number> => {
    const most = Math.min(lack, BATCH)
    const taken = await holdings.take(most, () => (stop.signal.aborted ? undefined : taker))
    return taken === most ? 0 : UNEVEN_MS
  }

  const keepGiving = (some: Parameters<Holdings['giveBack']>[0]): void => {
    // It may take as long as the owner takes.
    if (some.length > 0) holdings.giveBack(some).catch(failed)
  }

  const join = async (): Promise<void> => {
    await member.start()
    isMember = true
  }

  const run = async (taker: Owner): Promise<void> => {
    while (!stop.signal.aborted) {
      rest = new AbortController()
      const startedAt = moment()
      const everyMs = await round(taker).catch((error: unknown) => {
        failed(error)
        return EVERY_MS
      })
      const leftMs = everyMs === EVERY_MS ? everyMs - elapsedMs(startedAt) : everyMs
      await pause(Math.max(0, leftMs), AbortSignal.any([stop.signal, rest.signal]))
    }
  }

  /** Beside all else: where the database takes its time, what is held is not lost over what is taken. */
  const keepTouching = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const startedAt = moment()
      await holdings.touch().catch(failed)
      holdings.loseSilent()
      await pause(Math.max(0, EVERY_MS - elapsedMs(startedAt)), stop.signal)
    }
  }

  return {
    begin: (given: Owner): void => {
      if (stop.signal.aborted || owner !== undefined) return
      owner = given
      running = Promise.all([run(given), keepTouching()])
    },
    /** There may be something to take. */
    wake: (): void => rest.abort(),
    instances: (): number => living,
    /** Others count without this one from now on, while it still gives back. */
    end: async (): Promise<void> => {
      stop.abort()
      await member.stop({graceful: false}).catch(failed)
      await running
    },
  }
}

function shuffled<One>(all: readonly One[]): One[] {
  return all
    .map((one) => ({one, order: Math.random()}))
    .sort((a, b) => a.order - b.order)
    .map(({one}) => one)
}
