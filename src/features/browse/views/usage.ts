import type {Button, KnownBlock} from '@slack/types'
import type {NamedPeriod} from '../period.ts'
import type {UsageReport} from '../usage-report.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, inSections} from '../../../slack/draw/blocks.ts'
import {pageButtons} from '../../../slack/draw/list.ts'
import {browseTexts} from '../texts.ts'
import {usageTable} from './usage-table.ts'
import {type NameOf, figuresText, notesText, rowLine, splitName} from './usage-words.ts'

interface UsagePage {
  report: UsageReport
  period: NamedPeriod | undefined
  /** So many rows of the splits stand on earlier pages. */
  offset: number
  nameOf: NameOf
}

const ROWS_PER_PAGE = 15
const MAX_NOTES = 6
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
  const turns = pageButtons(ACTIONS.usageMore, {
    next: next < all.length ? toUsageValue(period, next) : undefined,
    first: offset > 0 ? toUsageValue(period, 0) : undefined,
  })
  const plain = message(lines, turns)
  if (shown.length === 0) return plain
  const heading = lines.slice(0, offset === 0 ? 1 + totalLines(report).length : 1)
  const {blocks: above = []} = message(heading, [])
  const blocks = [...above, usageTable(shown, nameOf), ...actions(turns)]
  return {text: plain.text, blocks, plain: plain.blocks ?? []}
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

function message(lines: readonly string[], turns: Button[]): Message {
  return {text: lines.join('\n'), blocks: [...inSections(lines), ...actions(turns)]}
}

function actions(elements: Button[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{type: 'actions', elements}]
}

/** Where a page begins. */
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
