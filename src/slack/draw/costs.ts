import type {Thread} from '../../platform/model.ts'
import {dollars} from '../markup/lines.ts'
import {costTexts} from '../texts/costs.ts'

const KINDS = ['llmCredits', 'imageCredits', 'vmCredits', 'totalCredits'] as const

/** What work has cost, a line for each kind as far as the platform says them; else its total, as far as we know it. */
export function costLines(usage: Thread['usage'], total: number | undefined): string[] {
  if (usage === undefined) return lineOf('totalCredits', total)
  return KINDS.flatMap((kind) => lineOf(kind, usage[kind]))
}

/** One, or none where nothing is said of it. */
function lineOf(kind: (typeof KINDS)[number], credits: number | undefined): string[] {
  const {kinds, credits: line, creditsAlone, unknown, unlimited} = costTexts
  if (credits === undefined) return []
  if (Number.isNaN(credits)) return [creditsAlone(kinds[kind], unknown)]
  if (!Number.isFinite(credits)) return [creditsAlone(kinds[kind], unlimited)]
  return [line(kinds[kind], String(Math.round(credits * 100) / 100), dollars(credits))]
}
