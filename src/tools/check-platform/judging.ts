import {REFUSALS, refusalBody} from '../../platform/contract/refusals.ts'
import {type Answer, TooManyCalls} from './asking.ts'
import type {Probe} from './probe.ts'
import type {Rule} from './rules/rule.ts'
import type {Seen} from './shapes.ts'
import {Broken, Untried, show} from './verdicts.ts'

/** What became of one rule. */
export interface Verdict {
  section: string
  rule: string
  state: 'holds' | 'broken' | 'untried'
  expected?: string
  seen?: string
  /** Of a broken one: what Bosun does there. */
  bosun?: string
  /** Of an untried one. */
  why?: string
}

/** There is no sense in going on, and why. */
export class Stopped extends Error {
  override name = 'Stopped' as const
}

/** After so many rules in a row without any answer, none is expected. */
const MOST_SILENT = 3

/** Judges rules one after the other, and tells of each. @throws {Stopped} */
export async function judgeRules(
  rules: readonly Rule[],
  probe: Probe,
  {signal, note}: {signal: AbortSignal; note: (verdict: Verdict) => void},
): Promise<void> {
  let silent = 0
  for (const rule of rules) {
    const {section, name, bosun} = rule
    const told = {section, rule: name}
    try {
      await rule.check(probe)
      silent = 0
      note({...told, state: 'holds'})
    } catch (error) {
      if (signal.aborted) throw new Stopped('It was stopped.')
      if (error instanceof TooManyCalls) throw new Stopped(error.message)
      if (error instanceof Untried) {
        note({...told, state: 'untried', why: error.message})
        continue
      }
      const isAnswer = error instanceof Broken
      const {expected, seen} = isAnswer ? error : {expected: 'an answer', seen: whyOf(error)}
      note({...told, state: 'broken', expected, seen, bosun})
      silent = isAnswer ? 0 : silent + 1
      if (rule.isFirst) throw new Stopped('Nothing else can be tried.')
      if (silent === MOST_SILENT) throw new Stopped('The platform does not answer.')
    }
  }
}

/** What a connection says of itself holds no secret. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const {cause} = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}

const NAMES: Readonly<Record<string, string>> = {
  user: 'organization user',
  filterRule: 'review filter rule',
  reviewRound: 'review round',
  message: 'transcript entry',
  receipt: 'message receipt',
}

/** Of a kind of record. */
export function judgeShape({section, name, count, problem}: Seen): Verdict {
  const rule = `every ${NAMES[name] ?? name} is as documented`
  if (problem !== undefined) return {section, rule, state: 'broken', ...problem}
  if (count === 0) return {section, rule, state: 'untried', why: 'none was seen'}
  return {section, rule, state: 'holds'}
}

/** Of every answer that asked to wait. */
export function judgeLimits(limits: readonly Answer[]): Verdict {
  const named = {section: '7', rule: `a ${REFUSALS.RateLimited.status} says when to come again`}
  if (limits.length === 0) return {...named, state: 'untried', why: 'no limit was met'}
  const isRight = ({body, header}: Answer): boolean =>
    refusalBody('RateLimited').safeParse(body).success && /^\d+$/.test(header('retry-after') ?? '')
  const wrong = limits.find((limit) => !isRight(limit))
  if (wrong === undefined) return {...named, state: 'holds'}
  return {
    ...named,
    state: 'broken',
    expected: 'RateLimited with retryAfterSeconds, and the header retry-after',
    seen: `${show(wrong.body)}, retry-after ${wrong.header('retry-after') ?? 'missing'}`,
    bosun: 'it comes again after a second, and makes matters worse',
  }
}
