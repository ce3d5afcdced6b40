/**
 * What events have said of a pull request. Each event bears its own time and is a whole picture, so the newest one counts; events
 * of one second are all kept, and read together. `joinFacts` is commutative, associative and idempotent: whatever order they
 * come in, and however often, the same is known in the end.
 */
export interface PullRequestFacts {
  /** The newest time that something was said of it, and all that was said at that time, the first in order first. */
  atMs: number
  said: readonly Picture[]
  /** Heads that pushes at that time have put others in the place of. */
  replaced: readonly string[]
  /** When it was merged, as the events say that tell of it; of several times the first. */
  mergedAtMs?: number
  /** When that was heard first; of what is older than this field, when it was merged. */
  mergeHeardMs?: number
  /** The newest word on whether it can be merged into its base, and of which head. */
  conflict?: Conflict
  /** The newest opinion of each reviewer, by name. */
  reviews: readonly Review[]
}

const STAGES = ['merged', 'closed', 'open', 'draft'] as const
/** `open`: ready for review. Of one second, what stands further in front counts. */
export type Stage = (typeof STAGES)[number]

interface Picture {
  stage: Stage
  /** The newest commit of its branch. */
  head: string
  title: string
}

interface Conflict {
  atMs: number
  head: string
  is: boolean
}

const OPINIONS = ['dismissed', 'changes', 'approved'] as const

export interface Review {
  by: string
  atMs: number
  /** A review keeps its number and its time when it is dismissed. */
  id: number
  opinion: (typeof OPINIONS)[number]
  url: string
}

/** Of one second; and of all reviewers. */
const MOST_PICTURES = 12
const MOST_REVIEWERS = 100

export function joinFacts(a: PullRequestFacts, b: PullRequestFacts): PullRequestFacts {
  const newest = a.atMs === b.atMs ? [a, b] : [a.atMs > b.atMs ? a : b]
  const merges = [a, b].flatMap(({mergedAtMs}) => mergedAtMs ?? [])
  const heard = [a, b].flatMap((one) => one.mergeHeardMs ?? one.mergedAtMs ?? [])
  const conflict = newestConflict([a, b].flatMap((one) => one.conflict ?? []))
  return {
    atMs: Math.max(a.atMs, b.atMs),
    said: distinct(
      newest.flatMap(({said}) => said),
      comparePictures,
    ).slice(0, MOST_PICTURES),
    replaced: distinct(
      newest.flatMap(({replaced}) => replaced),
      compareTexts,
    ).slice(0, MOST_PICTURES),
    ...(merges.length > 0 && {mergedAtMs: Math.min(...merges), mergeHeardMs: Math.min(...heard)}),
    ...(conflict !== undefined && {conflict}),
    reviews: newestReviews([...a.reviews, ...b.reviews]),
  }
}

/** What they come to. Of heads of one second that counts which no push has replaced. */
export function pictureOf({said, replaced}: PullRequestFacts): Picture {
  const [first = {stage: 'open', head: '', title: ''}] = said
  const standing = said.find(({head}) => !replaced.includes(head)) ?? first
  return {...standing, stage: first.stage}
}

/** Only what was said of the head that stands: a push may have solved it. */
export function hasConflict(facts: PullRequestFacts): boolean {
  const {conflict} = facts
  return conflict?.is === true && conflict.head === pictureOf(facts).head
}

function newestConflict(all: readonly Conflict[]): Conflict | undefined {
  const inOrder = all.toSorted(
    (a, b) => b.atMs - a.atMs || Number(b.is) - Number(a.is) || compareTexts(a.head, b.head),
  )
  return inOrder[0]
}

function newestReviews(all: readonly Review[]): Review[] {
  const byName = Map.groupBy(all, ({by}) => by.toLowerCase())
  const names = [...byName.keys()].toSorted(compareTexts).slice(0, MOST_REVIEWERS)
  return names.flatMap((name) => (byName.get(name) ?? []).toSorted(compareReviews).slice(0, 1))
}

function compareReviews(a: Review, b: Review): number {
  return (
    b.atMs - a.atMs ||
    b.id - a.id ||
    OPINIONS.indexOf(a.opinion) - OPINIONS.indexOf(b.opinion) ||
    compareTexts(a.url, b.url) ||
    compareTexts(a.by, b.by)
  )
}

function comparePictures(a: Picture, b: Picture): number {
  return (
    STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage) ||
    compareTexts(a.head, b.head) ||
    compareTexts(a.title, b.title)
  )
}

/** In order, each once. */
function distinct<Value>(all: readonly Value[], compare: (a: Value, b: Value) => number): Value[] {
  const inOrder = all.toSorted(compare)
  return inOrder.filter((one, at) => {
    const before = inOrder[at - 1]
    return at === 0 || before === undefined || compare(before, one) !== 0
  })
}

/** The same everywhere, whatever language a machine speaks. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
