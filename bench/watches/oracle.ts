import type {Reading} from './readings.ts'

/** A thread came to a state at that time. */
export interface Change {
  atMs: number
  state: string
}

/** How often each state should have been announced in each channel that watches; more than one answer where chance decides. */
type Expected = ReadonlyMap<string, {least: number; most: number}>

/** What the bot may know of a thread behind a reading, and how often it has announced each state by then. */
interface Path {
  status: string | undefined
  isAnnounced: boolean
  counts: Map<string, {least: number; most: number}>
}

export interface OracleOptions {
  /** States that call people. */
  calling: ReadonlySet<string>
  /** Between these times nobody knows what the bot made of a reading: it was killed. */
  death: {fromMs: number; toMs: number}
}

/** Between the arrival of a call and the look into the table. */
const SLACK_MS = 40
/** What is over so soon behind the second reading may be over before Slack has it, and is not said then. */
const HURRY_MS = 500

/**
 * Plays the rule "each state that stands at two readings, once" for one thread. Where a state changed while a
 * reading went on, or the bot was killed, each way that it may have gone is followed.
 */
export function expect(
  changes: readonly Change[],
  readings: readonly Reading[],
  {calling, death}: OracleOptions,
): Expected {
  let paths: Path[] = [{status: undefined, isAnnounced: false, counts: new Map()}]
  for (const [index, reading] of readings.entries()) {
    const {startMs, endMs} = reading
    const seen = statesBetween(changes, startMs, endMs + SLACK_MS).map((state) =>
      calling.has(state) ? state : undefined,
    )
    const isDoubtful = endMs >= death.fromMs && startMs <= death.toMs
    const previousMs = readings[index - 1]?.endMs ?? -Infinity
    const wasKilled = previousMs <= death.toMs && startMs >= death.fromMs
    const isHurried = wasKilled || startMs - previousMs < HURRY_MS
    const next = paths.flatMap((path) => [
      ...(isDoubtful ? [path] : []),
      ...[...new Set(seen)].map((status) => step(path, status, isHurried)),
    ])
    paths = merge(next)
  }
  return union(paths)
}

/** In the state before it, and every one that began in it. */
function statesBetween(changes: readonly Change[], fromMs: number, toMs: number): string[] {
  const before = changes.findLast(({atMs}) => atMs < fromMs)
  const during = changes.filter(({atMs}) => atMs >= fromMs && atMs <= toMs)
  return [before?.state ?? 'idle', ...during.map(({state}) => state)]
}

function step(path: Path, status: string | undefined, isHurried: boolean): Path {
  const {isAnnounced} = path
  if (status !== path.status) {
    const counts = new Map(path.counts)
    const last = path.status !== undefined ? counts.get(path.status) : undefined
    // It was found at the very reading before this one, and may not have been said yet.
    if (path.status !== undefined && last !== undefined && isAnnounced && isHurried) {
      counts.set(path.status, {...last, least: Math.max(0, last.least - 1)})
    }
    return {status, isAnnounced: false, counts}
  }
  if (status === undefined || isAnnounced) return path
  const {least, most} = path.counts.get(status) ?? {least: 0, most: 0}
  const counts = new Map(path.counts).set(status, {least: least + 1, most: most + 1})
  return {status, isAnnounced: true, counts}
}

function merge(paths: readonly Path[]): Path[] {
  const groups = Map.groupBy(paths, ({status, isAnnounced}) => `${status} ${String(isAnnounced)}`)
  return [...groups.values()].flatMap((those) => {
    const [first] = those
    return first === undefined ? [] : [{...first, counts: union(those)}]
  })
}

function union(paths: readonly Path[]): Map<string, {least: number; most: number}> {
  const names = new Set(paths.flatMap(({counts}) => [...counts.keys()]))
  return new Map(
    [...names].map((name) => {
      const all = paths.map(({counts}) => counts.get(name) ?? {least: 0, most: 0})
      const least = Math.min(...all.map((one) => one.least))
      return [name, {least, most: Math.max(...all.map((one) => one.most))}]
    }),
  )
}
