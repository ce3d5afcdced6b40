import {type Clock, waitOn} from '../async/clock.ts'
import {backoffMs, isAborted} from '../async/pause.ts'
import {ANSWERED, type Looks, UNANSWERED, lookTwice} from './look-twice.ts'
import {AS_IT_IS_MS, SlackError, isInVain} from './slack-error.ts'

/** What comes next for something that must stand in Slack once, as its row says now. */
export type Next<Settled> = {settled: Settled} | Make<Settled> | Find<Settled> | Change<Settled>

/** A message is to be made. */
interface Make<Settled> extends Failing<Settled> {
  /** Notes the intent, calls, and notes what Slack confirmed. */
  make: (isPlain: boolean) => Promise<void>
  /** It surely was not made: the intent is taken back. */
  drop: () => Promise<void>
  /** Once more without its blocks, where Slack does not take them. */
  canBePlain: boolean
}

/** An intent from before a crash, or that nobody confirmed: the message stands, or it never will. */
interface Find<Settled> extends Failing<Settled> {
  find: () => Promise<string | undefined>
  /** When; without it, as Slack's answer has left it. */
  looks?: Looks
  confirm: (ts: string) => Promise<void>
  drop: () => Promise<void>
}

/** A message that stands is to say something else. */
interface Change<Settled> extends Failing<Settled> {
  change: () => Promise<void>
}

interface Failing<Settled> {
  /** What only an operator can mend is waited for. */
  isPatient: boolean
  /** Slack won't take it, however often it is asked; `undefined`: its row says what comes next. */
  giveUp: (error: SlackError) => Promise<Settled | undefined>
}

const TROUBLE = {baseMs: 500, maxMs: 30_000}
/** What only an operator can mend. */
const STANDSTILL_MS = 60_000
/** Where Slack itself says that making it failed: so often in a row it is looked for at once. */
const AT_ONCE = 2

/**
 * Brings one thing to where it should be, step by step: what is about to happen is noted first, and what Slack said after
 * it; what nobody confirmed is looked for twice before it is made again.
 *
 * @returns `undefined` when the signal came first.
 */
export async function makeOnce<Settled>(
  next: () => Promise<Next<Settled>>,
  {
    clock,
    signal,
    onTrouble,
  }: {clock: Clock; signal: AbortSignal; onTrouble: (error: SlackError) => void},
): Promise<Settled | undefined> {
  let isPlain = false
  let looks = UNANSWERED
  let answered = 0
  /** Since when all that Slack said of it may be about how it looks. */
  let vainSinceMs: number | undefined
  for (let failures = 1; !isAborted(signal); failures += 1) {
    const step = await next()
    if ('settled' in step) return step.settled
    const isMaking = 'make' in step
    try {
      if ('find' in step) await look(step, step.looks ?? looks, {clock, signal})
      else if ('change' in step) await step.change()
      else {
        const isVain = clock.nowMs() - (vainSinceMs ?? Infinity) >= AS_IT_IS_MS
        await step.make(isPlain || (isVain && step.canBePlain))
        answered = 0
        vainSinceMs = undefined
      }
      isPlain = false
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      onTrouble(error)
      // What Slack itself says failed is looked for at once, at its own pace.
      const isSought = isMaking && error.isAnswered
      if (isMaking) {
        looks = isSought ? ANSWERED : UNANSWERED
        answered = isSought ? answered + 1 : 0
        vainSinceMs = isInVain(error) ? (vainSinceMs ?? clock.nowMs()) : undefined
      }
      // A refusal is an answer: the message surely does not exist.
      if (isMaking && error.kind !== 'retry') await step.drop()
      if (error.kind === 'wait') continue // its next turn comes when Slack allows
      if (error.kind === 'retry') {
        if (!isSought || answered > AT_ONCE)
          await waitOn(clock, backoffMs(failures, TROUBLE), signal)
      } else if (step.isPatient && (error.kind === 'dead' || error.kind === 'mistake')) {
        await waitOn(clock, STANDSTILL_MS, signal)
      } else if (isMaking && step.canBePlain && error.kind === 'refused' && !isPlain) {
        isPlain = true
      } else {
        const settled = await step.giveUp(error)
        if (settled !== undefined) return settled
      }
    }
  }
  return undefined
}

async function look<Settled>(
  {find, confirm, drop}: Find<Settled>,
  looks: Looks,
  {clock, signal}: {clock: Clock; signal: AbortSignal},
): Promise<void> {
  const ts = await lookTwice(looks, find, {clock, signal})
  if (isAborted(signal)) return
  await (ts === undefined ? drop() : confirm(ts))
}
