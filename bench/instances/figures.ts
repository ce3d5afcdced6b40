import {type Line, never} from '../lines.ts'
import {type Judgement, type Wrong, isRight} from './oracle.ts'

/** Has no limit: only told. */
interface Told {
  name: string
  shown: string
}
export type Figure = Line | Told

export function told(name: string, value: string | number): Told {
  return {name, shown: String(value)}
}

export function isLine(figure: Figure): figure is Line {
  return 'isHeld' in figure
}

/** `only`: what is told without a line, because this part is about something else. */
export function figuresOf(judgement: Judgement, only: readonly Wrong[]): Figure[] {
  const {wrongs, replies} = judgement
  const all = (Object.entries(wrongs) as [Wrong, number][]).map(([name, count]) =>
    only.includes(name) ? told(name, count) : never(name, count),
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
  for (const figure of figures) {
    if (!isLine(figure)) console.log(`  ${figure.name.padEnd(56)}${figure.shown.padStart(24)}`)
  }
}

export function tellDetails(judgement: Judgement): void {
  if (isRight(judgement)) return
  for (const line of judgement.details.slice(0, 10)) console.log(`  ${line.slice(0, 1500)}`)
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}
