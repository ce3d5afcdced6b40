import {toldToWait} from '../pace/told-to-wait.ts'
import {backoffMs} from '../../async/pause.ts'
import type {Place} from '../../store/tables/work/link.ts'
import type {Clock} from '../../async/clock.ts'
import type {Ask, Pacer} from '../pace/pacer.ts'
import type {Log, PostWriter} from '../ports.ts'
import {ANSWERED, UNANSWERED} from '../../once/look-twice.ts'
import type {KnownPosts} from './known-posts.ts'
import {
  type Lessons,
  NOTHING_LEARNT,
  learnLoss,
  learnPlain,
  learnRefusal,
  unlearn,
  unlearnPlain,
} from './lessons.ts'
import type {Obstacles} from './obstacles.ts'
import type {Step} from './steps.ts'
import {isOverAtMs} from './stream-steps.ts'
import type {WritingModes} from './writing-modes.ts'
import {
  AS_IT_IS_MS,
  type SlackError,
  type SlackErrorKind,
  isInVain,
} from '../../once/slack-error.ts'

/** What Slack refused at one place, and what follows of it. */
interface Refusals {
  /** One answer for each class of refusal. */
  answer(step: Step, error: SlackError): Promise<void>
  /** It was taken after all. */
  passed(step: Step, granted: Ask): void
  /** Our own side failed; so long nothing should be tried. */
  stumbled(): number
  lessons(): Lessons
  /** Nothing is tried here before. */
  pausedUntilMs(): number
  /** These posts of the delivery need nothing any more. */
  forget(delivery: string, keys: ReadonlySet<string>): void
}

interface RefusalsOptions {
  linkId: string
  place: Place
  /** Whom the stream of a reply answers. */
  reader: string
  known: KnownPosts
  writer: PostWriter
  modes: WritingModes
  pacer: Pacer
  obstacles: Obstacles
  /** Nobody can write in this Slack thread for now, or ever: in Slack's words why. */
  onClosed: (code: string) => void
  clock: Clock
  log: Log
}

const TROUBLE = {baseMs: 500, maxMs: 30_000}
const REFUSED = {baseMs: 1000, maxMs: 600_000}
const STANDSTILL = {baseMs: 10_000, maxMs: 600_000}

export function createRefusals(options: RefusalsOptions): Refusals {
  const {linkId, place, known, writer, modes, pacer, obstacles, clock, log} = options
  let lessons = NOTHING_LEARNT
  let failures = 0
  let pausedUntilMs = 0
  /** Since when Slack itself says of each try that making this post failed. */
  const vainSinceMs = new Map<string, number>()

  const answer = async (step: Step, error: SlackError): Promise<void> => {
    const key = keyOf(step)
    log.warn({err: error, linkId, key, move: step.move}, 'Slack did not take a call')
    failures += 1
    // A refusal is an answer: the message surely does not exist. No answer leaves the intent open.
    if (isMaking(step) && error.kind !== 'retry') await known.forget(key)
    if (step.move === 'open' && !OF_ALL.includes(error.kind)) modes.refuse(options, error.code)
    else if (OF_STREAM.includes(step.move)) await answerStream(step, key, error)
    else await answerKind(step, key, error)
  }

  /** Whatever is not right with a stream: it is ended, and its message edited from then on. */
  const answerStream = async (step: Step, key: string, error: SlackError): Promise<void> => {
    const {kind} = error
    // So it says; only an edit that it takes proves it.
    if (kind === 'ended') known.note(key, {streaming: false, streamed: undefined, notBeforeMs: 0})
    else if (OF_ALL.includes(kind) || OF_PLACE.includes(kind)) await answerKind(step, key, error)
    else if (step.move === 'append') known.note(key, {streamed: undefined})
    // It streams on: until it is over by itself, it can only be tried again.
    else known.note(key, {streamed: undefined, notBeforeMs: afterTrouble()})
  }

  const answerKind = async (step: Step, key: string, error: SlackError): Promise<void> => {
    const {kind, code} = error
    const {team, channel} = place
    const method = writer.methods[step.move]
    switch (kind) {
      case 'wait':
        toldToWait(pacer, {team, method}, error)
        return
      case 'retry':
        tryAgain(step, key, error)
        if (isMaking(step)) doubt(step, key, error)
        return
      case 'refused':
        await refuse(step, key)
        return
      case 'gone':
        await lose(step, key, code)
        return
      case 'stuck':
        await leave(step, key)
        return
      case 'streaming':
        closeFirst(key)
        return
      case 'ended':
        return
      case 'closed':
        standClosed(code)
        return
      case 'unusable':
        obstacles.meet({scope: {team, channel}, code})
        return
      case 'dead':
        obstacles.meet({scope: OF_RESOURCE.includes(code) ? {team, channel} : {team}, code})
        return
      case 'mistake':
        if (step.move === 'share') learn(step, key)
        else obstacles.meet({scope: {team, method}, code: error.message})
        return
      default:
        throw new Error(`Unknown refusal: ${String(kind satisfies never)}`)
    }
  }

  const afterTrouble = (): number => clock.nowMs() + backoffMs(failures, TROUBLE)

  const tryAgain = (step: Step, key: string, {isAnswered}: SlackError): void => {
    const notBeforeMs = afterTrouble()
    const {move} = step
    if (move === 'edit')
      known.note(key, {doubtfulUntilMs: clock.nowMs() + UNANSWERED.gapMs, notBeforeMs})
    else if (!known.all.has(key)) pausedUntilMs = notBeforeMs
    // Nobody knows what its stream says.
    else if (move === 'append' || move === 'close')
      known.note(key, {streamed: undefined, notBeforeMs})
    else if (!isMaking(step)) known.note(key, {notBeforeMs})
    // What may have been made is looked for.
    else {
      const {firstMs} = isAnswered ? ANSWERED : UNANSWERED
      known.note(key, {isAnswered, notBeforeMs: clock.nowMs() + firstMs})
    }
  }

  /** What keeps a message from being made need not be trouble of Slack's own: it may be how it looks. */
  const doubt = (step: Step, key: string, error: SlackError): void => {
    if (!isInVain(error)) vainSinceMs.delete(key)
    else if (!vainSinceMs.has(key)) vainSinceMs.set(key, clock.nowMs())
    else if (clock.nowMs() - (vainSinceMs.get(key) ?? 0) >= AS_IT_IS_MS && step.move !== 'share') {
      lessons = learnPlain(lessons, key)
    }
  }

  const refuse = async (step: Step, key: string): Promise<void> => {
    if (step.move === 'remove') await leave(step, key)
    else if (step.move === 'edit' && step.post.delivery === undefined) postpone(key)
    else learn(step, key)
  }

  /** It stands as it was, and holds up nothing else. */
  const postpone = (key: string): void => {
    const waitMs = REFUSED.baseMs + backoffMs(failures, REFUSED)
    known.note(key, {notBeforeMs: clock.nowMs() + waitMs})
  }

  const learn = (step: Step, key: string): void => {
    const learnt = 'post' in step ? learnRefusal(lessons, step.post) : undefined
    if (learnt !== undefined) lessons = learnt
    else if (known.all.get(key)?.draft !== undefined) postpone(key)
    else standStill()
  }

  const standStill = (): void => {
    pausedUntilMs = clock.nowMs() + backoffMs(failures, STANDSTILL)
  }

  const standClosed = (code: string): void => {
    standStill()
    options.onClosed(code)
  }

  const lose = async (step: Step, key: string, code: string): Promise<void> => {
    if (step.move === 'remove') {
      await known.forget(key)
    } else if (OF_STANDING.includes(step.move)) {
      await known.markGone(key)
      lessons = learnLoss(lessons, key)
    } else {
      // The Slack thread itself is gone.
      standClosed(code)
    }
  }

  const closeFirst = (key: string): void => {
    const {openedAtMs = clock.nowMs()} = known.all.get(key) ?? {}
    const notBeforeMs = afterTrouble()
    known.note(key, {streaming: true, streamed: undefined, openedAtMs, notBeforeMs})
  }

  const mayStream = (key: string): boolean => {
    const row = known.all.get(key)
    return row !== undefined && isOverAtMs(row) > clock.nowMs()
  }

  /** It stands and nobody can change it: what is final is posted again, and it goes first if it can. */
  const leave = async (step: Step, key: string): Promise<void> => {
    // Of a removal Slack says the same where it still streams the message.
    if (step.move === 'remove' && mayStream(key)) {
      closeFirst(key)
      return
    }
    if (step.move === 'edit' && step.post.delivery === undefined) {
      postpone(key)
      return
    }
    if (step.move === 'remove') await known.markGone(key)
    else known.note(key, {isStuck: true})
    lessons = learnLoss(lessons, key)
  }

  /** Whether this made, or found, a message that is edited as it likes: a reply stays as it was taken. */
  const standsNow = (step: Step): boolean => {
    if (step.move === 'create') return step.post.content.kind !== 'say'
    const row = step.move === 'find' ? known.all.get(step.key) : undefined
    return row?.state === 'placed' && row.delivery === undefined
  }

  return {
    answer,
    passed: (step, granted) => {
      const isMade = isMaking(step) || known.all.get(keyOf(step))?.state === 'placed'
      if (isMade) vainSinceMs.delete(keyOf(step))
      if (step.move === 'open') modes.pass(options)
      if (standsNow(step)) lessons = unlearnPlain(lessons, keyOf(step))
      failures = 0
      obstacles.pass(granted)
    },
    stumbled: () => backoffMs((failures += 1), TROUBLE),
    lessons: () => lessons,
    pausedUntilMs: () => pausedUntilMs,
    forget: (delivery, keys) => (lessons = unlearn(lessons, delivery, keys)),
  }
}

const OF_STREAM: readonly Step['move'][] = ['open', 'append', 'close']
/** Of messages that stand. */
const OF_STANDING: readonly Step['move'][] = ['edit', 'append', 'close']
/** Said of what a call is about, here of its channel, and not of the token. */
const OF_RESOURCE: readonly string[] = ['access_denied', 'ekm_access_denied']
const OF_PLACE: readonly SlackErrorKind[] = ['closed', 'unusable']
/** Refusals that say nothing of streams. */
const OF_ALL: readonly SlackErrorKind[] = ['wait', 'retry', 'gone', 'dead']

function isMaking({move}: Step): boolean {
  return move === 'create' || move === 'open' || move === 'share'
}

function keyOf(step: Step): string {
  return 'post' in step ? step.post.key : step.key
}
