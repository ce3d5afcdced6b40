import {createBackground} from '../../async/background.ts'
import type {Clock} from '../../async/clock.ts'
import {SlackError} from '../../once/slack-error.ts'
import {toldToWait} from '../../relay/pace/told-to-wait.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Rank} from '../../relay/post.ts'

/** One call that brings what Slack shows closer to what it should show. */
export interface Step {
  method: string
  channel: string
  rank: Rank
  /** It may be overtaken before that. */
  notBeforeMs?: number
  /** Makes the call, and keeps what came of it. @throws {SlackError} */
  call: () => Promise<unknown>
}

/**
 * What Slack shows of many things, each at its newest state: a state that was overtaken before its turn came is never
 * told. One call at a time for each, those of others beside it.
 */
interface Newest<Item> extends AsyncDisposable {
  readonly items: Map<string, Item>
  /** What should be shown of it may have changed. */
  look(key: string): void
  /** Slack shows such a thing at all, as far as we know. */
  isOn(): boolean
}

interface NewestOptions<Item> {
  pacer: Pacer
  team: string
  clock: Clock
  log: Log
  /** For the log: what is not shown where Slack has no such thing. */
  what: string
  /** What is to be done next; `undefined` when it is shown as it should be. */
  stepOf: (item: Item) => Step | undefined
  /** Nothing more will come of it. */
  isOver: (item: Item) => boolean
  /** Slack will not show it there; it is forgotten. */
  onRefused?: (item: Item, error: SlackError) => void
}

/** The app is not allowed to, or Slack has no such thing. */
const OFF: readonly string[] = [
  ...['feature_disabled', 'not_agent_app', 'unknown_method', 'missing_scope'],
  ...['not_allowed_token_type', 'method_deprecated', 'deprecated_endpoint'],
]
/** Said by Slack of whatever is asked, and not of this. */
export function isOff(code: string): boolean {
  return OFF.includes(code)
}
const OFF_FOR_MS = 3_600_000
/** What time alone changes, and what failed in passing, is found within this. */
const LOOK_EVERY_MS = 15_000

export function createNewest<Item>(options: NewestOptions<Item>): Newest<Item> {
  const {pacer, team, clock, log, what, stepOf, isOver, onRefused} = options
  const items = new Map<string, Item>()
  const busy = new Set<string>()
  /** By key: what is being asked for. */
  const waiting = new Map<string, {step: Step; leave: () => void}>()
  const background = createBackground((error) => log.error({err: error}, `Showing ${what} failed`))
  let offUntilMs = 0
  let isStopped = false

  const dueOf = (key: string): Step | undefined => {
    const item = items.get(key)
    return item === undefined || isStopped ? undefined : stepOf(item)
  }

  const tellUntilRight = async (key: string): Promise<void> => {
    busy.add(key)
    try {
      for (let step = dueOf(key); step !== undefined; step = dueOf(key)) {
        if (!(await tell(key, step))) return
      }
    } finally {
      // In the same breath as the last look: whatever comes then begins anew.
      busy.delete(key)
    }
  }

  /** Whether it can go on. */
  const tell = async (key: string, step: Step): Promise<boolean> => {
    const {method, channel, rank, notBeforeMs = 0} = step
    const ask = {team, channel, method, rank, sinceMs: 0, notBeforeMs}
    const {granted, leave} = pacer.queue([ask])
    waiting.set(key, {step, leave})
    const isGranted = (await granted) !== undefined
    waiting.delete(key)
    if (!isGranted) return true
    // It may be another one by now.
    const due = dueOf(key)
    if (due?.method === method && !pacer.isPaused(ask)) return take(key, due)
    pacer.giveBack(ask)
    return true
  }

  /** Whether it can go on. */
  const take = async (key: string, {method, call}: Step): Promise<boolean> => {
    try {
      await call()
      return true
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait') toldToWait(pacer, {team, method}, error)
      else if (error.kind !== 'retry') refused(key, error)
      return error.kind === 'wait'
    }
  }

  const refused = (key: string, error: SlackError): void => {
    const item = items.get(key)
    items.delete(key)
    if (item !== undefined) onRefused?.(item, error)
    if (!isOff(error.code)) return
    log.info({code: error.code}, `Slack shows no ${what} for this app`)
    offUntilMs = clock.nowMs() + OFF_FOR_MS
    items.clear()
    for (const {leave} of waiting.values()) leave()
  }

  const look = (key: string): void => {
    const asked = waiting.get(key)
    if (asked !== undefined) {
      const due = dueOf(key)
      const isAsked = due?.method === asked.step.method && due.rank === asked.step.rank
      if (!isAsked) asked.leave()
    }
    if (!busy.has(key) && dueOf(key) !== undefined) background.keep(tellUntilRight(key))
  }

  const lookAtAll = (): void => {
    for (const [key, item] of items) {
      look(key)
      if (!busy.has(key) && isOver(item)) items.delete(key)
    }
    cancelLook = clock.after(LOOK_EVERY_MS, lookAtAll)
  }
  let cancelLook = clock.after(LOOK_EVERY_MS, lookAtAll)

  return {
    items,
    look,
    isOn: () => clock.nowMs() >= offUntilMs,
    [Symbol.asyncDispose]: async () => {
      isStopped = true
      cancelLook()
      for (const {leave} of waiting.values()) leave()
      await background.ended()
    },
  }
}
