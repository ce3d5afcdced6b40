/** `count`: a number of which nothing is known but its name. */
export interface Figure {
  /** `undefined`: named otherwise. */
  what: What | undefined
  unit: 'dollars' | 'tokens' | 'count'
  /** Also `Infinity` and `NaN`. */
  amount: number
  /** As the report names it, with the names above it. */
  name: string
}

type What = 'total' | 'llm' | 'image' | 'machine' | 'input' | 'output' | 'cached'

const CREDITS_PER_DOLLAR = 1000
const CENTS_PER_DOLLAR = 100

/** A figure by the names that lead to it; `around`: names above it that may say its unit. */
export function toFigure(
  path: readonly string[],
  amount: number,
  around: readonly string[] = [],
): Figure {
  const unit = [...around, ...path].map(unitOf).findLast((it) => it !== undefined) ?? 'count'
  const words = path.flatMap(wordsOf)
  // A list says the first: `llm` of `totalLlmDollars` is more than its `total`.
  const found = WHATS.find(([, names]) => words.some((word) => names.includes(word)))?.[0]
  // Of no kind, and nothing but its unit: `dollars`, `costUsd`, `tokens`.
  const isBare = words.every((word) => unitOf(word) !== undefined || BARE.includes(word))
  const what = found ?? (isBare ? 'total' : undefined)
  const name = toName(path)
  switch (unit) {
    case 'credits':
      return {what, unit: 'dollars', amount: amount / CREDITS_PER_DOLLAR, name}
    case 'cents':
      return {what, unit: 'dollars', amount: amount / CENTS_PER_DOLLAR, name}
    case 'dollars':
    case 'tokens':
    case 'count':
      return {what, unit, amount, name}
    default:
      throw new Error(`Unknown unit: ${String(unit satisfies never)}`)
  }
}

const BARE: readonly string[] = ['usage', 'report', 'data', 'amount', 'value', 'sum', 'summary']

const WHATS: readonly (readonly [What, readonly string[]])[] = [
  ['llm', ['llm', 'llms', 'language']],
  ['image', ['image', 'images', 'img']],
  ['machine', ['machine', 'machines', 'vm', 'vms', 'compute']],
  ['cached', ['cached', 'cache']],
  ['input', ['input', 'inputs', 'prompt']],
  ['output', ['output', 'outputs', 'completion']],
  ['total', ['total', 'totals', 'overall', 'all']],
]

type Unit = 'dollars' | 'credits' | 'cents' | 'tokens'

/** The last word that names one. */
export function unitOf(name: string): Unit | undefined {
  for (const word of wordsOf(name).toReversed()) {
    const unit = UNITS.get(word)
    if (unit !== undefined) return unit
  }
  return undefined
}

const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...[
    'dollar',
    'dollars',
    'usd',
    'cost',
    'costs',
    'billed',
    'spend',
    'spent',
    'price',
    'charge',
  ].map((word): [string, Unit] => [word, 'dollars']),
  ...['credit', 'credits'].map((word): [string, Unit] => [word, 'credits']),
  ...['cent', 'cents'].map((word): [string, Unit] => [word, 'cents']),
  ...['token', 'tokens'].map((word): [string, Unit] => [word, 'tokens']),
])

/** `perImageEndpoint`, `per_image_endpoint` and `per image-endpoint` alike. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

export function toName(path: readonly string[]): string {
  return path.join(' ')
}

/** Numbers also come as text; the wire has words for what is none (section 2.3). */
export function toAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  if (/^-?(?:\d{1,18}(?:\.\d{1,18})?|Infinity)$/.test(value)) return Number(value)
  return value === 'NaN' ? NaN : undefined
}
