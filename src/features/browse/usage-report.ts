import {isRecord} from '../../security/foreign-json.ts'
import {type Figure, toAmount, toFigure, toName, unitOf, wordsOf} from './usage-figures.ts'

/**
 * The platform's usage report (section 2.16) holds billed LLM, image, machine and total dollars, token totals, and splits
 * per member, per model and per image endpoint; none of its fields has a name in the document. So it is read by what its
 * names say and how it is built, and whatever has another name is shown under that.
 */
export interface UsageReport {
  /** Of everything, in the order of the report. */
  totals: Figure[]
  splits: Split[]
  /** Words that are no amounts, such as the period. */
  notes: {name: string; value: string}[]
}

export interface Split {
  /** `undefined`: named otherwise. */
  by: 'member' | 'model' | 'image' | undefined
  /** As the report names it. */
  name: string
  rows: SplitRow[]
}

export interface SplitRow {
  /** Whose it is: `undefined`: nobody's and nothing's in particular. */
  id: string | undefined
  name: string | undefined
  figures: Figure[]
  /** What else it says. */
  notes: {name: string; value: string}[]
}

/** Ids of the models that it names. */
export function modelsIn({splits}: UsageReport): {modelId: string}[] {
  const rows = splits.filter(({by}) => by === 'model').flatMap((split) => split.rows)
  const ids = rows.flatMap(({id, name}) => id ?? name ?? [])
  return [...new Set(ids)].filter(isModelId).map((modelId) => ({modelId}))
}

function isModelId(word: string): boolean {
  return /^\S{1,200}$/.test(word)
}

const MAX_DEPTH = 8
const MAX_ROWS = 5000
const MAX_FIGURES = 40

/** `undefined` where there is no amount in it at all. */
export function readUsageReport(report: unknown): UsageReport | undefined {
  const found: UsageReport = {totals: [], splits: [], notes: []}
  if (isList(report)) addSplit(found, [], report)
  else if (isRecord(report)) readLevel(found, report, [], MAX_DEPTH)
  for (const split of found.splits) split.rows.sort((a, b) => weightOf(b) - weightOf(a))
  found.splits = found.splits.filter(({rows}) => rows.length > 0)
  const isEmpty = found.totals.length === 0 && found.splits.length === 0
  return isEmpty ? undefined : found
}

function readLevel(
  found: UsageReport,
  level: Record<string, unknown>,
  path: readonly string[],
  depth: number,
): void {
  for (const [name, value] of Object.entries(level)) {
    const here = [...path, name]
    const amount = toAmount(value)
    if (amount !== undefined) found.totals.push(toFigure(here, amount))
    else if (isList(value)) addSplit(found, here, value)
    else if (isRecord(value) && isSplitName(name)) addSplit(found, here, toRows(value))
    else if (isRecord(value) && depth > 0) readLevel(found, value, here, depth - 1)
    else if (typeof value === 'string' || typeof value === 'boolean') {
      found.notes.push({name: toName(here), value: String(value)})
    }
  }
}

/** By its name a split and no group of figures: `byModel`, `members`, `per_image_endpoint`; `by` alone holds some. */
function isSplitName(name: string): boolean {
  const words = wordsOf(name)
  const isBy = words.length > 1 && (words[0] === 'by' || words[0] === 'per')
  return isBy || words.some((word) => SPLIT_WORDS.has(word))
}

const SPLIT_WORDS: ReadonlySet<string> = new Set(
  ['member', 'user', 'author', 'person', 'model', 'endpoint'].flatMap((word) => [word, `${word}s`]),
)

/** A split may be an object by ids, too: each of its fields is a row then. */
function toRows(value: Record<string, unknown>): unknown[] {
  return Object.entries(value).map(([id, row]) =>
    isRecord(row) ? {[ROW_ID]: id, ...row} : {[ROW_ID]: id, amount: row},
  )
}

const ROW_ID = 'id'

function addSplit(found: UsageReport, path: readonly string[], rows: readonly unknown[]): void {
  const name = path.at(-1) ?? ''
  const split: Split = {by: byOf(name), name: toName(path), rows: []}
  for (const row of rows.slice(0, MAX_ROWS)) {
    if (!isRecord(row)) {
      const amount = toAmount(row)
      if (amount !== undefined) split.rows.push({...NOBODYS, figures: [toFigure(path, amount)]})
      continue
    }
    split.rows.push(readRow(row, path))
  }
  found.splits.push(split)
}

const NOBODYS = {id: undefined, name: undefined, notes: []}

function byOf(name: string): Split['by'] {
  const words = wordsOf(name).map((word) => word.replace(/s$/, ''))
  if (words.includes('image') || words.includes('endpoint')) return 'image'
  if (words.includes('model')) return 'model'
  const isMember = ['member', 'user', 'author', 'person', 'people'].some((it) => words.includes(it))
  return isMember ? 'member' : undefined
}

function readRow(row: Record<string, unknown>, path: readonly string[]): SplitRow {
  const figures: Figure[] = []
  const texts: {name: string; value: string}[] = []
  const units = path.filter((name) => unitOf(name) !== undefined)
  const collect = (
    level: Record<string, unknown>,
    below: readonly string[],
    depth: number,
  ): void => {
    for (const [name, value] of Object.entries(level)) {
      const here = [...below, name]
      const isId = wordsOf(name).at(-1) === 'id'
      const amount = isId ? undefined : toAmount(value)
      if (amount !== undefined) {
        if (figures.length < MAX_FIGURES) figures.push(toFigure(here, amount, units))
      } else if (typeof value === 'string' || (isId && typeof value === 'number')) {
        texts.push({name: here.join('.'), value: String(value)})
      } else if (isRecord(value) && depth > 0) collect(value, here, depth - 1)
      else if (isList(value) && depth > 0) {
        value.slice(0, MAX_FIGURES).forEach((item, index) => {
          collect({[`${name} ${index + 1}`]: item}, below, depth - 1)
        })
      }
    }
  }
  collect(row, [], MAX_DEPTH)
  const id = firstOf(texts, IDS)
  const name = firstOf(texts, NAMES) ?? (id === undefined ? texts[0] : undefined)
  const notes = texts.filter((text) => text !== id && text !== name)
  return {id: id?.value, name: name?.value, figures, notes}
}

const IDS = [/(user|member|author|model|person|endpoint)_?id$/i, /^(.*\.)?id$/i, /id$/i]
const NAMES = [/name$/i, /(model|endpoint|member|user)$/i, /(title|label)$/i, /email$/i]

/** The text with the likeliest name. */
function firstOf<Text extends {name: string; value: string}>(
  texts: readonly Text[],
  likely: readonly RegExp[],
): Text | undefined {
  return likely
    .map((pattern) => texts.find(({name, value}) => value !== '' && pattern.test(name)))
    .find((text) => text !== undefined)
}

function weightOf({figures}: SplitRow): number {
  const money = figures.filter(({unit}) => unit === 'dollars')
  const total = money.find(({what}) => what === 'total')?.amount
  const amounts = (money.length > 0 ? money : figures).map(({amount}) => amount)
  const weight = total ?? Math.max(...amounts, -Infinity)
  return Number.isNaN(weight) ? -1 : weight
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}
