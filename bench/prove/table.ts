import {showFigure, showLimit} from '../lines.ts'
import type {Outcome} from './run.ts'

/** And the day when that was. */
export type Dated = Outcome & {day: string}

const NOT_RUN = 'not run: '
const HELD = 'yes'
const HEAD = ['bench', 'line', 'figure', 'limit', 'held', 'seconds', 'day']

/** What the table says of a bench: one row for each line; of a bench that was not run one row. */
export interface Section {
  bench: string
  rows: readonly (readonly string[])[]
}

export function sectionOf({bench, seconds, lines, notRun, day}: Dated): Section {
  if (notRun !== undefined)
    return {bench, rows: [[bench, `${NOT_RUN}${notRun}`, '', '', '', '', day]]}
  const rows = lines.map((line, index) => [
    index === 0 ? bench : '',
    line.name,
    showFigure(line),
    showLimit(line),
    line.isHeld ? HELD : '**NO**',
    index === 0 ? seconds.toFixed(0) : '',
    index === 0 ? day : '',
  ])
  return {bench, rows}
}

/** For a terminal. */
export function toColumns(sections: readonly Section[]): string {
  const rows = [HEAD, ...sections.flatMap((section) => section.rows)]
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

export function toMarkdown(sections: readonly Section[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...sections.flatMap((section) => section.rows)]
  return rows
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n')
}

/** What all of it came to, in a sentence. */
export function summaryOf(sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows)
  const missing = rows.filter((row) => row[1]?.startsWith(NOT_RUN)).length
  const held = rows.filter((row) => row[4] === HELD).length
  const minutes = rows.reduce((sum, row) => sum + Number(row[5]), 0) / 60
  const ran = sections.length - missing
  return `${held} of ${rows.length - missing} lines hold, of ${ran} benches in ${minutes.toFixed(0)} minutes; ${missing} benches were not run.`
}

const BEGIN = '<!-- npm run prove -- --write: from here -->'
const END = '<!-- npm run prove -- --write: to here -->'

/** The page with this between its marks. */
export function between(page: string, text: string): string {
  const [from, to] = marksOf(page)
  return `${page.slice(0, from)}\n\n${text}\n\n${page.slice(to)}`
}

/** What stands in the page's table. */
export function sectionsIn(page: string): Section[] {
  const sections: {bench: string; rows: string[][]}[] = []
  const lines = page.slice(...marksOf(page)).split('\n')
  for (const line of lines.filter((text) => text.startsWith('| ')).slice(2)) {
    const row = line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'))
    const [bench = ''] = row
    if (bench === '') sections.at(-1)?.rows.push(row)
    else sections.push({bench, rows: [row]})
  }
  return sections
}

function marksOf(page: string): [from: number, to: number] {
  const [begin, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || to < begin) throw new Error(`The page has no ${BEGIN} in front of ${END}.`)
  return [begin + BEGIN.length, to]
}
