import {
  type FilePost,
  type Rank,
  type SayContent,
  type WantedPost,
  essenceOf,
  hashOf,
} from '../post.ts'
import type {KnownPost} from './known-posts.ts'
import type {Lessons} from './lessons.ts'
import type {Step} from './steps.ts'
import {canStream, isOverAtMs, rankOfLast, streamSteps} from './stream-steps.ts'
import type {WritingMode} from './writing-modes.ts'

/** What is to be done next. */
interface Plan {
  /** Any of them may be next: one that makes or removes messages (or two ways to), and all changes of those that stand. */
  steps: Step[]
  /** Posts whose message is right already, but whose row does not know that it is final. */
  toConfirm: WantedPost[]
}

interface PlanRules {
  /** The `ts` of the newest message that is the last word of a reply: none may be settled in front of it. */
  floor: string
  /** Between two edits of one preview. */
  previewGapMs: number
  /** Between two edits that are nice to have: of the card for a tool alone, and of the tasks. Infinite: there are none. */
  spareGapMs: Readonly<{card: number; plan: number}>
  /** How a reply that grows may begin. */
  modes: readonly WritingMode[]
}

/** The difference between what is wanted and what stands, as the next calls. Pure. */
export function plan(
  wanted: readonly WantedPost[],
  known: ReadonlyMap<string, KnownPost>,
  lessons: Lessons,
  rules: PlanRules,
): Plan {
  const posts = wanted.map((post) => adapt(post, known.get(post.key), lessons))
  const overtaken = findOvertaken(posts, known, rules.floor)
  const making = nextMaking(posts, known, {overtaken, modes: rules.modes})
  // What has to move must not become final where it is, nor what it has to move behind: a reply that
  // is final is soon forgotten, and its place with it.
  const staying = posts.filter(
    ({key, isFinal, delivery}) =>
      !overtaken.has(key) && !(overtaken.size > 0 && isFinal && delivery !== undefined),
  )
  const changes = staying.flatMap((post) => {
    const row = known.get(post.key)
    if (row?.state !== 'placed' || row.ts === undefined) return []
    const isLast = isLastPart(post, posts)
    const growth = isLast && !post.isFinal ? 'grows' : 'ends'
    const edits = editOf(post, row, rules)
    const isDue = growth === 'ends' || row.streamed === undefined
    const last = isDue ? edits.map(later(row)) : []
    const steps = row.streaming ? [...streamSteps(post, row, growth), ...last] : edits
    // A preview is never shortened: what is longer is on its way. A part that another one follows
    // gives up what that one shows.
    const isShorter = isLast && isShorterDraft(post, row)
    return isShorter ? steps.filter(({move}) => move === 'close') : steps
  })
  const toConfirm = staying.filter((post) => {
    const row = known.get(post.key)
    const isRight = row?.state === 'placed' && row.hash === hashOf(post.content)
    return isRight && row.final !== post.isFinal && row.doubtfulUntilMs === 0
  })
  return {steps: [...making, ...changes.toSorted(inOrder)], toConfirm}
}

/** Whether every post of this delivery stands in its last form, and nothing else of it does. */
export function isDelivered(
  delivery: string,
  wanted: readonly WantedPost[],
  known: ReadonlyMap<string, KnownPost>,
  lessons: Lessons,
): boolean {
  const parts = wanted.filter((post) => post.delivery === delivery)
  const keys = new Set(parts.map(({key}) => key))
  const standing = [...known.values()].filter((row) => row.delivery === delivery)
  return (
    parts.every((post) => {
      const row = known.get(post.key)
      if (row === undefined) return !post.isCreated
      if (row.state === 'gone') return !post.isCreated || !isMadeAgain(post)
      return (
        row.state === 'placed' &&
        row.final &&
        row.doubtfulUntilMs === 0 &&
        row.hash === hashOf(adapt(post, row, lessons).content)
      )
    }) && standing.every(({key, state}) => keys.has(key) || state === 'gone')
  )
}

/**
 * The content as it can be shown: plainer once it was refused, and honest about being posted again. What
 * stands that way stays so, also when the process that learnt it is gone.
 */
function adapt(post: WantedPost, row: KnownPost | undefined, lessons: Lessons): WantedPost {
  const {content} = post
  if (content.kind === 'file') return post
  if (content.kind !== 'say') {
    return lessons.plain.has(post.key) ? {...post, content: {...content, plain: true}} : post
  }
  const isPlain = lessons.plain.has(post.key) || lessons.shapes.has(post.delivery ?? '')
  const isAgain = lessons.again.has(post.key) || (row?.state === 'gone' && post.isFinal)
  const isAsIs = !isPlain && !isAgain
  const taught: SayContent = isAsIs
    ? content
    : {...content, ...(isPlain && {plain: true}), ...(isAgain && {again: true})}
  if (row?.state !== 'placed' || !post.isFinal) return isAsIs ? post : {...post, content: taught}
  if (hashOf(taught) === row.hash) return isAsIs ? post : {...post, content: taught}
  const variants: SayContent[] = [
    taught,
    {...taught, again: true},
    {...taught, plain: true},
    {...taught, plain: true, again: true},
  ]
  return {...post, content: variants.find((it) => hashOf(it) === row.hash) ?? taught}
}

/**
 * One at a time, in this order: an open intent is settled; what is not wanted goes; what stands in
 * front of a post that has to come before it goes too; the first missing post is made.
 */
function nextMaking(
  wanted: readonly WantedPost[],
  known: ReadonlyMap<string, KnownPost>,
  {overtaken, modes}: {overtaken: ReadonlyMap<string, KnownPost>; modes: readonly WritingMode[]},
): Step[] {
  const intent = [...known.values()].find(({state}) => state === 'intended')
  if (intent !== undefined) {
    const {key, notBeforeMs} = intent
    return [{move: 'find', key, rank: 'final', sinceMs: 0, notBeforeMs}]
  }
  const excess = findExcess(wanted, known) ?? findUnchangeable(wanted, known)
  if (excess !== undefined) return removalOf(excess)
  const [moving] = overtaken.values()
  if (moving !== undefined) return removalOf(moving)
  const post = wanted.find((it) => isMissing(it, known.get(it.key)))
  if (post === undefined) return []
  const rank = post.rank === 'preview' ? 'first' : post.rank
  const notBeforeMs = known.get(post.key)?.notBeforeMs ?? 0
  const when = {rank, sinceMs: 0, notBeforeMs} as const
  if (isFilePost(post)) return [{move: 'share', post, ...when}]
  if (!canStream(post) || !isLastPart(post, wanted)) return [{move: 'create', post, ...when}]
  return modes.map((move) => ({move, post, ...when}))
}

function isLastPart(post: WantedPost, posts: readonly WantedPost[]): boolean {
  return posts.findLast(({delivery}) => delivery === post.delivery) === post
}

function isFilePost(post: WantedPost): post is FilePost {
  return post.content.kind === 'file'
}

/**
 * Previews that stand in front of a post that has to come before them: one that is still to be made, or one
 * that was made later. Of two replies that are written at once, the one that settles first is first. The
 * parts of one reply follow each other, also when an earlier one has to be made again. What stands behind a reply
 * that gets another part, as when Slack took it in smaller ones alone, moves behind that.
 */
function findOvertaken(
  wanted: readonly WantedPost[],
  known: ReadonlyMap<string, KnownPost>,
  floor: string,
): ReadonlyMap<string, KnownPost> {
  const overtaken = new Map<string, KnownPost>()
  const broken = new Set<string | undefined>()
  let isCutAnew = false
  let latest = ''
  for (const post of wanted) {
    const row = known.get(post.key)
    if (!post.isOrdered) continue
    if (isMissing(post, row)) {
      latest = LATER_THAN_ALL
      if (post.delivery !== undefined) broken.add(post.delivery)
      isCutAnew ||= row === undefined && isLastWord(post)
    }
    if (row?.state !== 'placed' || row.ts === undefined) continue
    const isBehindNone = row.ts < latest || (post.delivery !== undefined && row.ts < floor)
    const canMove = isMovable(post, row) || isCutAnew || broken.has(post.delivery)
    if (canMove && isBehindNone) overtaken.set(post.key, row)
    else if (row.ts > latest) latest = row.ts
  }
  return overtaken
}

/** A preview, or one that was marked as broken off and whose entry came after all. */
function isMovable(post: WantedPost, row: KnownPost): boolean {
  const wasBrokenOff = row.draft !== undefined && post.draft === undefined
  return !row.final || wasBrokenOff
}

/** A `ts` is no number: sixteen digits, and the text itself is in order. */
const LATER_THAN_ALL = '~'

/** Of a reply, in words or as a file. */
function isLastWord({content, isFinal}: WantedPost): boolean {
  return isFinal && (content.kind === 'say' || content.kind === 'file')
}

function isMissing(post: WantedPost, row: KnownPost | undefined): boolean {
  return post.isCreated && !stands(row, post)
}

function stands(row: KnownPost | undefined, post: WantedPost): boolean {
  if (row === undefined) return false
  return row.state !== 'gone' || !isMadeAgain(post)
}

/** A message that somebody deleted is made again if it is the last word of a reply, or has buttons that nothing else has. */
function isMadeAgain({content, isFinal}: WantedPost): boolean {
  const isList = ['waiting', 'held', 'held-archived'].includes(content.kind)
  return isList || (content.kind === 'say' && isFinal)
}

/**
 * A part that its reply no longer has, or a question that is answered. What stands in its last form and belongs to
 * no reply is over, and not looked at any more.
 */
function findExcess(
  wanted: readonly WantedPost[],
  known: ReadonlyMap<string, KnownPost>,
): KnownPost | undefined {
  const keys = new Set(wanted.map(({key}) => key))
  const deliveries = new Set(wanted.map(({delivery}) => delivery))
  return [...known.values()].find((row) => {
    const isOver = row.final && row.delivery === undefined
    return row.state === 'placed' && !isOver && !keys.has(row.key) && deliveries.has(row.delivery)
  })
}

/** What says something else than it should and can't be edited: a file, or a message that Slack has locked. */
function findUnchangeable(
  wanted: readonly WantedPost[],
  known: ReadonlyMap<string, KnownPost>,
): KnownPost | undefined {
  for (const post of wanted) {
    const row = known.get(post.key)
    const isWrong = row?.state === 'placed' && row.hash !== hashOf(post.content)
    const isLocked = row?.isStuck === true && post.isFinal && post.delivery !== undefined
    if (isWrong && (isFilePost(post) || isLocked)) return row
  }
  return undefined
}

/** What Slack streams has to be closed first. */
function removalOf(row: KnownPost): Step[] {
  const {key, ts = '', notBeforeMs, streaming} = row
  const when = {rank: 'final', sinceMs: 0, notBeforeMs} as const
  const remove: Step = {move: 'remove', key, ts, ...when}
  if (!streaming) return [remove]
  return [{move: 'close', key, ts, stretch: undefined, ...when}, later(row)(remove)]
}

/** As soon as its stream is over, also if nobody could end it. */
function later(row: KnownPost): (step: Step) => Step {
  const overAtMs = isOverAtMs(row)
  return (step) => ({
    ...step,
    rank: step.rank === 'final' ? 'final' : 'state',
    notBeforeMs: Math.max(step.notBeforeMs, overAtMs),
  })
}

function editOf(post: WantedPost, row: KnownPost, rules: PlanRules): Step[] {
  if (row.isStuck || isFilePost(post)) return []
  const {ts = '', shownAtMs: sinceMs} = row
  if (row.hash === hashOf(post.content)) {
    // Once more, when nothing can come in between any longer. A preview is about to be written anyhow.
    const isSettled = post.isFinal || post.draft === undefined
    const isDoubtful = isSettled && row.doubtfulUntilMs > 0
    const notBeforeMs = Math.max(row.notBeforeMs, row.doubtfulUntilMs)
    return isDoubtful ? [{move: 'edit', post, ts, rank: post.rank, sinceMs, notBeforeMs}] : []
  }
  const isSpare = row.essence === hashOf(essenceOf(post.content))
  const rank = isSpare ? 'spare' : rankOfLast(post, row)
  const spareGapMs = rules.spareGapMs[post.content.kind === 'plan' ? 'plan' : 'card']
  if (rank === 'spare' && spareGapMs === Infinity) return []
  const gapEndsMs = {
    spare: row.spareAtMs + spareGapMs,
    preview: row.shownAtMs + rules.previewGapMs,
    final: 0,
    state: 0,
    first: 0,
  }[rank]
  const notBeforeMs = Math.max(row.notBeforeMs, gapEndsMs)
  return [{move: 'edit', post, ts, rank, sinceMs, notBeforeMs}]
}

function isShorterDraft(post: WantedPost, row: KnownPost): boolean {
  if (post.isFinal || post.draft === undefined || row.draft === undefined) return false
  return post.draft.length < row.draft.length
}

const ORDER: readonly Rank[] = ['final', 'state', 'first', 'preview', 'spare']

function inOrder(a: Step, b: Step): number {
  return ORDER.indexOf(a.rank) - ORDER.indexOf(b.rank) || a.notBeforeMs - b.notBeforeMs
}
