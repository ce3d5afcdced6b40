import {type Judgement, type Wrong, isRight} from './oracle.ts'

/** A figure with its line, which it must keep. */
export interface Figure {
  name: string
  shown: string
  /** What it must keep; absent: only told. */
  line?: string
  /** Whether it falls short of it. */
  isShort: boolean
}

export function told(name: string, value: string | number): Figure {
  return {name, shown: String(value), isShort: false}
}

/** At most so much; a figure that nobody could measure falls short. */
export function atMost(name: string, value: number | undefined, most: number, unit = ''): Figure {
  const shown = value === undefined ? 'not measured' : `${round(value)}${unit}`
  const isShort = value === undefined || !(value <= most)
  return {name, shown, line: `≤ ${most}${unit}`, isShort}
}

export function atLeast(name: string, value: number | undefined, least: number): Figure {
  const shown = value === undefined ? 'not measured' : round(value)
  return {name, shown, line: `≥ ${least}`, isShort: value === undefined || !(value >= least)}
}

/** `only`: what is told without a line, because this part is about something else. */
export function figuresOf(judgement: Judgement, only: readonly Wrong[]): Figure[] {
  const {wrongs, replies} = judgement
  const all = (Object.entries(wrongs) as [Wrong, number][]).map(([name, count]) =>
    only.includes(name) ? told(name, count) : atMost(name, count, 0),
  )
  return [told('replies', replies), ...all]
}

/** The nearest rank: always a value that was measured. */
export function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]
}

export function spread(name: string, values: readonly number[]): Figure {
  const at = (part: number): string => round(quantile(values, part) ?? NaN)
  const shown = `${at(0.5)} / ${at(0.95)} / ${at(1)} of ${values.length}`
  return told(`${name}: p50 / p95 / most`, shown)
}

export function print(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`)
  for (const {name, shown, line = '', isShort} of figures) {
    console.log(`  ${name.padEnd(66)}${shown.padStart(24)}  ${line}${isShort ? '  SHORT' : ''}`)
  }
}

export function tellDetails(judgement: Judgement): void {
  if (isRight(judgement)) return
  for (const line of judgement.details.slice(0, 10)) console.log(`  ${line.slice(0, 1500)}`)
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}
