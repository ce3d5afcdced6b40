import {showFigure, showLimit} from '../lines.ts'
import type {Outcome} from './run.ts'

/** And the day when that was. */
export type Dated = Outcome & {day: string}

const HEAD = ['bench', 'line', 'figure', 'limit', 'held', 'seconds', 'day']

/** One row for each line; a bench that was not run is one row. */
function rowsOf({bench, seconds, lines, notRun, day}: Dated): string[][] {
  if (notRun !== undefined) return [[bench, `not run: ${notRun}`, '', '', '', '', day]]
  return lines.map((line, index) => [
    index === 0 ? bench : '',
    line.name,
    showFigure(line),
    showLimit(line),
    line.isHeld ? 'yes' : '**NO**',
    index === 0 ? seconds.toFixed(0) : '',
    index === 0 ? day : '',
  ])
}

/** For a terminal. */
export function toColumns(outcomes: readonly Dated[]): string {
  const rows = [HEAD, ...outcomes.flatMap(rowsOf)]
  const widths = HEAD.map((_name, column) => Math.max(...rows.map((row) => widthOf(row, column))))
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** What was not run has a sentence for a line, and makes no column wider. */
function widthOf(row: readonly string[], column: number): number {
  return row[2] === '' ? 0 : (row[column] ?? '').length
}

export function toMarkdown(outcomes: readonly Dated[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...outcomes.flatMap(rowsOf)]
  return rows
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

/** What all of it came to, in a sentence. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const lines = outcomes.flatMap((outcome) => outcome.lines)
  const held = lines.filter(({isHeld}) => isHeld).length
  const missing = outcomes.filter(({notRun}) => notRun !== undefined).length
  const minutes = outcomes.reduce((sum, {seconds}) => sum + seconds, 0) / 60
  const ran = outcomes.length - missing
  return `${held} of ${lines.length} lines hold, of ${ran} benches in ${minutes.toFixed(0)} minutes; ${missing} benches were not run.`
}

const BEGIN = '<!-- npm run prove -- --write: from here -->'
const END = '<!-- npm run prove -- --write: to here -->'

/** The page with this between its marks. */
export function between(page: string, text: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`The page has no ${BEGIN} in front of ${END}.`)
  return `${page.slice(0, from + BEGIN.length)}\n\n${text}\n\n${page.slice(to)}`
}
