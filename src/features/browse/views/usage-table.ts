import type {TableBlock} from '@slack/types'
import {oneLine} from '../../../slack/markup/lines.ts'
import {browseTexts} from '../texts.ts'
import type {Figure} from '../usage-figures.ts'
import type {Split, SplitRow} from '../usage-report.ts'
import {
  type NameOf,
  countText,
  creditsText,
  dollarsText,
  inOrder,
  rowName,
  toSay,
} from './usage-words.ts'

/** A row of a report with the split that it is of. */
interface Shown {
  split: Split
  row: SplitRow
}

/** What one column tells of a row; `undefined` where it has no such figure. */
interface Column {
  label: string
  textOf: (figures: readonly Figure[]) => string | undefined
}

/** Slack takes 20 columns: what a row is of, its name and its notes stand beside these. */
const MAX_FIGURES = 12
const MAX_LABEL = 60
const NOTHING = '–'
const words = browseTexts.usage

/** Members, models and whatever else a report is split by, with their figures below each other. */
export function usageTable(shown: readonly Shown[], nameOf: NameOf): TableBlock {
  const figures = shown.map(({row}) => toSay(row.figures))
  const columns = columnsOf(figures.flat())
  const hasNotes = shown.some(({row}) => row.notes.length > 0)
  const head = [words.table.kind, words.table.name, ...columns.map(({label}) => label)]
  const rows = shown.map(({split, row}, index) => [
    kindOf(split),
    rowName(row, split, nameOf),
    ...columns.map(({textOf}) => textOf(figures[index] ?? [])),
    ...(hasNotes ? [notesOf(row)] : []),
  ])
  const left = {align: 'left'} as const
  return {
    type: 'table',
    column_settings: [left, left, ...columns.map(() => ({align: 'right' as const}))],
    rows: [[...head, ...(hasNotes ? [words.table.notes] : [])], ...rows].map((row) =>
      row.map((text) => cell(text)),
    ),
  }
}

/** One for each kind of figure that any row has, in the order in which a line tells them; the total in credits, too. */
function columnsOf(figures: readonly Figure[]): Column[] {
  const kinds = new Map(figures.map((figure) => [kindKey(figure), figure]))
  return inOrder([...kinds.values()])
    .slice(0, MAX_FIGURES)
    .flatMap((kind) => {
      const all = (of: readonly Figure[], toText: (amount: number) => string) =>
        of
          .filter((figure) => kindKey(figure) === kindKey(kind))
          .map(({amount}) => toText(amount))
          .join(' · ') || undefined
      const isMoney = kind.unit === 'dollars'
      const column: Column = {
        label: labelOf(kind),
        textOf: (of) => all(of, isMoney ? dollarsText : countText),
      }
      const credits: Column = {label: words.table.credits, textOf: (of) => all(of, creditsText)}
      return isMoney && kind.what === 'total' ? [column, credits] : [column]
    })
}

function kindKey({what, unit, name}: Figure): string {
  return JSON.stringify([unit, what ?? name, what === undefined])
}

function labelOf({what, unit, name}: Figure): string {
  if (unit === 'tokens') {
    const text = words.tokens('', what === 'total' ? undefined : kindText({what, name}))
    return text.trim().replace(/^./u, (first) => first.toUpperCase())
  }
  return kindText({what, name})
}

function kindText({what, name}: Pick<Figure, 'what' | 'name'>): string {
  return what === undefined ? name : words.what[what]
}

function kindOf({by, name}: Split): string {
  return by === undefined ? name : words.kind[by]
}

function notesOf({notes}: SplitRow): string {
  return notes.map(({name, value}) => `${name} ${value}`).join(' · ')
}

/** Slack takes no empty ones. */
function cell(text: string | undefined) {
  return {type: 'raw_text' as const, text: oneLine(text ?? '', MAX_LABEL).trim() || NOTHING}
}
