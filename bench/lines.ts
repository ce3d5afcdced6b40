import {writeFileSync} from 'node:fs'

/** What a figure must be, compared with a value. */
type Bound = 'at most' | 'at least' | 'exactly'

/** A figure of a bench, and the limit that it has to keep. */
export interface Line {
  name: string
  /** Absent where nobody could measure it, or where it has no end: such a line never holds. */
  figure?: number
  bound: Bound
  limit: number
  unit: string
  isHeld: boolean
}

/** How a bench ended: with its lines, or without what it needs on this machine. */
export type Ending = {lines: readonly Line[]} | {needs: string}

export function atMost(name: string, figure: number | undefined, limit: number, unit = ''): Line {
  return lineOf(name, figure, {bound: 'at most', limit, unit})
}

export function atLeast(name: string, figure: number | undefined, limit: number, unit = ''): Line {
  return lineOf(name, figure, {bound: 'at least', limit, unit})
}

export function exactly(name: string, figure: number | undefined, limit: number, unit = ''): Line {
  return lineOf(name, figure, {bound: 'exactly', limit, unit})
}

/** Of what must not be: how often it was. */
export function never(name: string, count: number | undefined): Line {
  return exactly(name, count, 0)
}

/** Prints the lines at the end of a bench, writes them where `BENCH_LINES` says, and lets the bench fail where one falls short. */
export function endWith(lines: readonly Line[]): void {
  if (lines.length === 0) throw new Error('A bench without lines shows nothing.')
  const names = new Set(lines.map(({name}) => name))
  if (names.size < lines.length) throw new Error('Two lines of a bench have one name.')
  console.log(`\n${lines.map(show).join('\n')}`)
  write({lines})
  if (!lines.every(({isHeld}) => isHeld)) process.exitCode = 1
}

/** For a bench that this machine cannot run: nothing is shown, and so it fails. */
export function endWithout(needs: string): void {
  console.error(`not run: needs ${needs}`)
  write({needs})
  process.exitCode = 1
}

export function showFigure({figure, unit}: Line): string {
  return figure === undefined ? 'not measured' : `${round(figure)}${spaced(unit)}`
}

export function showLimit({bound, limit, unit}: Line): string {
  return `${SIGNS[bound]} ${round(limit)}${spaced(unit)}`
}

const KEEPS: Readonly<Record<Bound, (figure: number, limit: number) => boolean>> = {
  'at most': (figure, limit) => figure <= limit,
  'at least': (figure, limit) => figure >= limit,
  exactly: (figure, limit) => figure === limit,
}
const SIGNS: Readonly<Record<Bound, string>> = {'at most': '≤', 'at least': '≥', exactly: '='}

function lineOf(
  name: string,
  figure: number | undefined,
  {bound, limit, unit}: Pick<Line, 'bound' | 'limit' | 'unit'>,
): Line {
  const line = {name, bound, limit, unit}
  if (figure === undefined || !Number.isFinite(figure)) return {...line, isHeld: false}
  return {...line, figure, isHeld: KEEPS[bound](figure, limit)}
}

function show(line: Line): string {
  const {name, isHeld} = line
  const end = isHeld ? '' : '  FALLS SHORT'
  return `${isHeld ? '✓' : '✗'} ${name.padEnd(56)}${showFigure(line).padStart(16)}  ${showLimit(line)}${end}`
}

function write(ending: Ending): void {
  const file = process.env['BENCH_LINES']
  if (file !== undefined) writeFileSync(file, JSON.stringify(ending))
}

function spaced(unit: string): string {
  return unit === '' ? '' : ` ${unit}`
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 2 : 1)
}
