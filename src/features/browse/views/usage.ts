import type {NamedPeriod} from '../period.ts'
import type {Figure} from '../usage-figures.ts'
import type {Split, SplitRow, UsageReport} from '../usage-report.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, button, section} from '../../../slack/draw/blocks.ts'
import {browseTexts} from '../texts.ts'

interface UsagePage {
  report: UsageReport
  period: NamedPeriod | undefined
  /** So many rows of the splits stand on earlier pages. */
  offset: number
  /** The name of a member of the organization. */
  nameOf: (userId: string) => string | undefined
}

const ROWS_PER_PAGE = 15
const MAX_LABEL = 60
const MAX_FIGURES = 8
const MAX_NOTES = 6
const MAX_SECTION = 2900
const MAX_RAW_LINES = 60
const words = browseTexts.usage

/** One page of a usage report: the totals, then the most expensive of each split. */
export function drawUsage({report, period, offset, nameOf}: UsagePage): Message {
  const all = report.splits.flatMap((split) => split.rows.map((row) => ({split, row})))
  const shown = all.slice(offset, offset + ROWS_PER_PAGE)
  const lines = [
    words.headline(periodText(period)),
    ...(offset === 0 ? totalLines(report) : []),
    ...shown.flatMap(({split, row}, index) => [
      ...(shown[index - 1]?.split === split ? [] : [`*${splitName(split)}*`]),
      `• ${rowLine(row, split, nameOf)}`,
    ]),
  ]
  const next = offset + shown.length
  const more =
    next < all.length
      ? [button(ACTIONS.usageMore, browseTexts.more, toUsageValue(period, next))]
      : []
  return message(lines, more)
}

/** A report that nobody understands, as it stands. */
export function drawUnknownUsage(report: unknown, period: NamedPeriod | undefined): Message {
  const said = (JSON.stringify(report, undefined, 1) as string | undefined) ?? ''
  const raw = said
    .split('\n')
    .map((line) => line.replaceAll(/["{}[\],]/g, ' ').trimEnd())
    .filter((line) => line.trim() !== '')
  const cut = raw.length > MAX_RAW_LINES ? [words.cut] : []
  const lines = raw.slice(0, MAX_RAW_LINES).map((line) => escapeMrkdwn(oneLine(line, 200)))
  const none = raw.length === 0 ? [words.nothing] : []
  return message(
    [words.headline(periodText(period)), words.notUnderstood, ...lines, ...none, ...cut],
    [],
  )
}

function message(lines: readonly string[], more: ReturnType<typeof button>[]): Message {
  const sections: string[] = []
  for (const line of lines) {
    const last = sections.at(-1)
    if (last === undefined || last.length + line.length > MAX_SECTION) sections.push(line)
    else sections[sections.length - 1] = `${last}\n${line}`
  }
  const actions = more.length === 0 ? [] : [{type: 'actions' as const, elements: more}]
  return {text: lines.join('\n'), blocks: [...sections.map(section), ...actions]}
}

/** What [More] bears. */
function toUsageValue(period: NamedPeriod | undefined, offset: number): string {
  return [period?.fromMs ?? '', period?.toMs ?? '', offset].join('.')
}

export function readUsageValue(
  value: string,
): {period: NamedPeriod | undefined; offset: number} | undefined {
  const [, from, to, offset] = /^(\d{1,14})?\.(\d{1,14})?\.(\d{1,6})$/.exec(value) ?? []
  if (offset === undefined) return undefined
  const isNamed = from !== undefined && to !== undefined
  const period = isNamed ? {fromMs: Number(from), toMs: Number(to)} : undefined
  return {period, offset: Number(offset)}
}

function periodText(period: NamedPeriod | undefined): string {
  if (period === undefined) return words.thisMonth
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  return words.period(day(period.fromMs), day(period.toMs))
}

/** The report's own words for its time are not repeated. */
const PERIOD = /(^| )(from|to|start|end|since|until|period)( |$|At$|Date$)/i

function totalLines({totals, splits, notes}: UsageReport): string[] {
  if (totals.length === 0 && splits.length === 0) return [words.empty]
  const money = totals.filter(({unit}) => unit === 'dollars')
  const tokens = totals.filter(({unit}) => unit === 'tokens')
  const others = totals.filter(({unit}) => unit === 'count')
  const said = notes.filter(({name}) => !PERIOD.test(name)).slice(0, MAX_NOTES)
  return [figuresText(money), figuresText(tokens), figuresText(others), notesText(said)].filter(
    (line) => line !== '',
  )
}

function rowLine(
  {id, name, figures, notes}: SplitRow,
  {by = 'other'}: {by?: Split['by'] | 'other'},
  nameOf: UsagePage['nameOf'],
): string {
  const known = by === 'member' && id !== undefined ? nameOf(id) : undefined
  const label = [known, name, id].find((it) => it !== undefined && it.trim() !== '')
  const who = label === undefined ? words.nobody[by] : inBold(label, MAX_LABEL)
  const amounts = figuresText(figures) || words.nothing
  return [who, amounts, notesText(notes.slice(0, 2))].filter((part) => part !== '').join(' · ')
}

function splitName({by, name}: Split): string {
  return by === undefined ? inBold(name, MAX_LABEL) || '–' : words.by[by]
}

const ORDER: readonly (Figure['what'] | 'none')[] = [
  ...(['total', 'llm', 'image', 'machine', 'input', 'output', 'cached', 'none'] as const),
]

/** The total first; the same amount is said once, whether it comes as credits or as dollars. */
function figuresText(figures: readonly Figure[]): string {
  const seen = new Set<string>()
  const rank = ({what, unit}: Figure): number =>
    (unit === 'dollars' ? 0 : unit === 'tokens' ? 10 : 20) + ORDER.indexOf(what ?? 'none')
  const said = figures
    .toSorted((a, b) => rank(a) - rank(b))
    .filter((figure) => {
      const {what, unit, amount, name} = figure
      const key = [what ?? name, unit, amount.toFixed(3)].join()
      return seen.has(key) ? false : Boolean(seen.add(key))
    })
  return said.slice(0, MAX_FIGURES).map(figureText).join(' · ')
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
  if (!Number.isFinite(amount)) return countText(amount)
  const money = `${amount < 0 ? '-' : ''}$${format(Math.abs(amount), 2)}`
  return credits === 'alone' ? money : words.credits(money, format(amount * 1000, 0))
}

function countText(amount: number): string {
  if (Number.isNaN(amount)) return words.unknown
  return Number.isFinite(amount) ? format(amount, 2, 0) : words.unlimited
}

function format(amount: number, most: number, least = most): string {
  return amount.toLocaleString('en-US', {maximumFractionDigits: most, minimumFractionDigits: least})
}

function notesText(notes: readonly {name: string; value: string}[]): string {
  return notes
    .map(({name, value}) => escapeMrkdwn(oneLine(`${name} ${value}`, MAX_LABEL)))
    .join(' · ')
}
