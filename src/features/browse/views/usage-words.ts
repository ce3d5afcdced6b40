import type {Figure} from '../usage-figures.ts'
import type {Split, SplitRow} from '../usage-report.ts'
import {inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {browseTexts} from '../texts.ts'

/** The name of a member of the organization. */
export type NameOf = (userId: string) => string | undefined

const MAX_LABEL = 60
const MAX_FIGURES = 8
const MAX_ROW_NOTES = 2
const words = browseTexts.usage

export function rowLine(row: SplitRow, split: Pick<Split, 'by'>, nameOf: NameOf): string {
  const amounts = figuresText(row.figures) || words.nothing
  const notes = notesText(row.notes.slice(0, MAX_ROW_NOTES))
  const who = inBold(rowName(row, split, nameOf), MAX_LABEL)
  return [who, amounts, notes].filter((part) => part !== '').join(' · ')
}

/** Whose row it is; not escaped. */
export function rowName({id, name}: SplitRow, {by}: Pick<Split, 'by'>, nameOf: NameOf): string {
  const known = by === 'member' && id !== undefined ? nameOf(id) : undefined
  const label = [known, name, id].find((it) => it !== undefined && it.trim() !== '')
  return label ?? words.nobody[by ?? 'other']
}

export function splitName({by, name}: Split): string {
  return by === undefined ? inBold(name, MAX_LABEL) || '–' : words.by[by]
}

const ORDER: readonly (Figure['what'] | 'none')[] = [
  ...(['total', 'llm', 'image', 'machine', 'input', 'output', 'cached', 'none'] as const),
]

export function figuresText(figures: readonly Figure[]): string {
  return toSay(figures).slice(0, MAX_FIGURES).map(figureText).join(' · ')
}

/** The total first; the same amount is said once, whether it comes as credits or as dollars. */
export function toSay(figures: readonly Figure[]): Figure[] {
  const seen = new Set<string>()
  return inOrder(figures).filter((figure) => {
    const {what, unit, amount, name} = figure
    const key = [what ?? name, unit, amount.toFixed(3)].join()
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}

export function inOrder<Of extends Pick<Figure, 'what' | 'unit'>>(figures: readonly Of[]): Of[] {
  const rank = ({what, unit}: Of): number =>
    (unit === 'dollars' ? 0 : unit === 'tokens' ? 10 : 20) + ORDER.indexOf(what ?? 'none')
  return figures.toSorted((a, b) => rank(a) - rank(b))
}

function figureText({what, unit, amount, name}: Figure): string {
  const shown = escapeMrkdwn(oneLine(name, MAX_LABEL))
  switch (unit) {
    case 'dollars':
      if (what === 'total') return `${words.what.total} ${moneyText(amount, 'credits too')}`
      return `${what === undefined ? shown : words.what[what]} ${moneyText(amount, 'alone')}`
    case 'tokens': {
      const kind = what === 'total' ? undefined : what === undefined ? shown : words.what[what]
      return words.tokens(countText(amount), kind)
    }
    case 'count':
      return `${shown} ${countText(amount)}`
    default:
      throw new Error(`Unknown unit: ${String(unit satisfies never)}`)
  }
}

/** 1 credit is a thousandth of a dollar. */
function moneyText(amount: number, credits: 'credits too' | 'alone'): string {
  if (credits === 'alone' || !Number.isFinite(amount)) return dollarsText(amount)
  return words.credits(dollarsText(amount), creditsText(amount))
}

export function dollarsText(amount: number): string {
  if (!Number.isFinite(amount)) return countText(amount)
  return `${amount < 0 ? '-' : ''}$${format(Math.abs(amount), 2)}`
}

/** Of an amount in dollars. */
export function creditsText(amount: number): string {
  return Number.isFinite(amount) ? format(amount * 1000, 0) : countText(amount)
}

export function countText(amount: number): string {
  if (Number.isNaN(amount)) return words.unknown
  return Number.isFinite(amount) ? format(amount, 2, 0) : words.unlimited
}

function format(amount: number, most: number, least = most): string {
  return amount.toLocaleString('en-US', {maximumFractionDigits: most, minimumFractionDigits: least})
}

export function notesText(notes: readonly {name: string; value: string}[]): string {
  return notes
    .map(({name, value}) => escapeMrkdwn(oneLine(`${name} ${value}`, MAX_LABEL)))
    .join(' · ')
}
