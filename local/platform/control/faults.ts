import {z} from 'zod'
import {createId} from '../id.ts'

const countSchema = z.int().min(0)
const patternSchema = z.string().refine(isPattern, 'must be a regular expression')

/** What a rule asks of a request: all that it names must hold. */
const matchSchema = z.strictObject({
  method: z.string().optional(),
  /** A regular expression that finds something in the path with its query. */
  path: patternSchema.optional(),
  /** A header that is there, and in which the pattern finds something. */
  header: z.strictObject({name: z.string().min(1), value: patternSchema.optional()}).optional(),
})

/** What goes wrong. `afterBytes` counts bytes of the body, also inside a character. */
const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cut'),
    afterBytes: countSchema,
    /** With RST instead of FIN. */
    reset: z.boolean().default(false),
  }),
  z.strictObject({kind: z.literal('stall'), afterBytes: countSchema}),
  z.strictObject({
    kind: z.literal('delay'),
    /** Before the request is handled. */
    ms: countSchema.default(0),
    /** Between handling and the answer; a stream answers at once. */
    answerMs: countSchema.default(0),
  }),
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().min(200).max(599),
    /** A string goes out as it stands, everything else as JSON. */
    body: z.json().optional(),
    headers: z.record(z.string(), z.string()).default({}),
    /** Whether the request takes effect all the same. A GET has none. */
    applied: z.boolean(),
  }),
  z.strictObject({kind: z.literal('lost'), applied: z.boolean()}),
  z.strictObject({kind: z.literal('noHeartbeat')}),
  z.strictObject({kind: z.literal('chunks'), bytes: z.int().min(1)}),
  z.strictObject({kind: z.literal('crlf')}),
  z.strictObject({
    kind: z.literal('duplicate'),
    /** Only frames of this name. */
    event: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('inject'),
    /** Raw text, which goes between frames. */
    frame: z.string(),
    /** After each so many frames. */
    every: z.int().min(1).default(1),
  }),
  z.strictObject({kind: z.literal('bom')}),
  z.strictObject({kind: z.literal('trailing'), text: z.string()}),
])
export type Fault = z.infer<typeof faultSchema>

export const faultRuleSchema = z.strictObject({
  match: matchSchema.default({}),
  /** How many requests are hit; `null`: all. */
  times: z.int().min(1).nullable().default(1),
  /** How many matching requests pass before. */
  after: countSchema.default(0),
  fault: faultSchema,
})
type FaultRuleInput = z.input<typeof faultRuleSchema>
type FaultRule = z.output<typeof faultRuleSchema>

/** What a request looks like to a rule. */
interface Asked {
  readonly method: string
  /** With the query. */
  readonly path: string
  header(name: string): string | undefined
}

interface FaultReport extends FaultRule {
  readonly id: string
  /** Matching requests so far, those that passed included. */
  readonly seen: number
  readonly hits: number
  /** Hits that changed what the client got: an answer may end before the byte at which it was to be cut. */
  readonly effects: number
}

/** A fault that hits a request, and whom to tell once it has changed something. */
interface Strike {
  fault: Fault
  onEffect: () => void
  /** Aborted when the rule is taken away: what it holds goes on. */
  gone: AbortSignal
}

/** The faults that wait for their requests. */
export interface Faults {
  /** Answers the id of the rule; throws a `ZodError` when it is not one. */
  add(rule: FaultRuleInput): string
  /** All rules, oldest first, also those that are used up. */
  list(): FaultReport[]
  /** Whether there was such a rule. */
  remove(id: string): boolean
  /** Answers how many there were. */
  clear(): number
  /** The fault of the first rule that hits this request; asks nothing of it while no rule is left. */
  take(ask: () => Asked): Strike | undefined
}

export function createFaults(): Faults {
  let rules: Armed[] = []
  const isSpent = ({report: {times, hits}}: Armed): boolean => times !== null && hits >= times
  let waiting: Armed[] = []
  const review = (): void => {
    waiting = rules.filter((rule) => !isSpent(rule))
  }
  const keep = (isKept: (rule: Armed) => boolean): number => {
    const before = rules.length
    for (const rule of rules) if (!isKept(rule)) rule.gone.abort()
    rules = rules.filter(isKept)
    review()
    return before - rules.length
  }
  return {
    add: (input) => {
      const rule = arm(faultRuleSchema.parse(input))
      rules.push(rule)
      review()
      return rule.report.id
    },
    list: () => rules.map(({report}) => ({...report})),
    remove: (id) => keep(({report}) => report.id !== id) > 0,
    clear: () => keep(() => false),
    take: (ask) => {
      if (waiting.length === 0) return undefined
      const hit = firstHit(waiting, ask())
      if (hit !== undefined && isSpent(hit)) review()
      return hit === undefined ? undefined : toStrike(hit)
    },
  }
}

interface Armed {
  report: FaultRule & {id: string; seen: number; hits: number; effects: number}
  isMatch: (asked: Asked) => boolean
  gone: AbortController
}

function arm(rule: FaultRule): Armed {
  const {method, path, header} = rule.match
  const inPath = toFinder(path)
  const inHeader = toFinder(header?.value)
  const isMatch = (asked: Asked): boolean => {
    if (method !== undefined && method.toUpperCase() !== asked.method) return false
    if (!inPath(asked.path)) return false
    if (header === undefined) return true
    const value = asked.header(header.name)
    return value !== undefined && inHeader(value)
  }
  const report = {id: createId('fault'), ...rule, seen: 0, hits: 0, effects: 0}
  return {report, isMatch, gone: new AbortController()}
}

function toStrike({report, gone}: Armed): Strike {
  let wasTold = false
  const onEffect = (): void => {
    if (!wasTold) report.effects += 1
    wasTold = true
  }
  return {fault: report.fault, onEffect, gone: gone.signal}
}

function firstHit(waiting: readonly Armed[], asked: Asked): Armed | undefined {
  for (const rule of waiting) {
    if (!rule.isMatch(asked)) continue
    const {report} = rule
    report.seen += 1
    if (report.seen <= report.after) continue
    report.hits += 1
    return rule
  }
  return undefined
}

function toFinder(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  const expression = new RegExp(pattern)
  return (text) => expression.test(text)
}

function isPattern(text: string): boolean {
  try {
    return toFinder(text)('') || true
  } catch {
    return false
  }
}
