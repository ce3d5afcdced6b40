import type {Verdict} from '../matrix-oracle/sight.ts'
import type {Stage} from './stage.ts'

/** What was seen, and whether it was right. */
export interface SightReport {
  cells: number
  shown: number
  hidden: number
  /** What the documents leave to choice, and nobody judges. */
  open: number
  /** One line each. */
  wrong: string[]
}

export interface SightTally {
  report: SightReport
  /** One cell: what the documents say of it, and whether it was seen. `tells`: an answer told that there is such work. */
  judge: (
    cell: string,
    verdict: Verdict,
    seen: {isShown: boolean; tells?: string | undefined},
  ) => void
}

export function createTally(): SightTally {
  const report: SightReport = {cells: 0, shown: 0, hidden: 0, open: 0, wrong: []}
  return {
    report,
    judge: (cell, verdict, {isShown, tells}) => {
      report.cells += 1
      report[verdict] += 1
      if (verdict === 'hidden' && isShown) report.wrong.push(`shown, but hidden: ${cell}`)
      if (verdict === 'hidden' && tells !== undefined) {
        report.wrong.push(`told that there is something: ${cell}: ${tells}`)
      }
      if (verdict === 'shown' && !isShown) report.wrong.push(`not shown: ${cell}`)
    },
  }
}

/** One cell that says itself what is seen by now. */
interface Cell {
  cell: string
  verdict: Verdict
  isShown: () => boolean
  tells?: () => string | undefined
}

/** What comes by itself takes its time on a busy machine: what is to be shown is waited for, and all else until it is quiet. */
export async function judgeAll(
  stage: Pick<Stage, 'many' | 'quiet'>,
  {judge}: SightTally,
  cells: readonly Cell[],
): Promise<void> {
  const missing = () => cells.filter(({verdict, isShown}) => verdict === 'shown' && !isShown())
  const [first] = missing()
  if (first !== undefined) {
    await stage.many.until(
      `${first.cell}, and what else is to be shown`,
      () => missing().length === 0,
    )
  }
  await stage.quiet()
  for (const {cell, verdict, isShown, tells} of cells) {
    judge(cell, verdict, {isShown: isShown(), tells: tells?.()})
  }
}
