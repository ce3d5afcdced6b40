import type {Finding, Verdict} from './finding.ts'
import {ASSUMPTIONS, type Assumption, type AssumptionId} from './catalogue.ts'
import type {Outcome} from './check.ts'
import {checkTexts} from './texts.ts'

/** What was tried, where and when, as a program reads it. */
interface Report {
  channel: string
  /** When it ended, as ISO 8601. */
  at: string
  thorough: boolean
  calls: number
  seconds: number
  cutShort: boolean
  /** What the check could not take away again. */
  left: readonly string[]
  counts: Record<Verdict, number>
  assumptions: (Pick<Assumption, 'reliedOnIn' | 'page'> &
    Finding & {
      id: AssumptionId
      assumed: string
      /** What to set or to do; of those that differ. */
      mend?: string
    })[]
}

interface ReportOptions {
  channel: string
  dateMs: number
  isThorough: boolean
}

export function toReport(outcome: Outcome, {channel, dateMs, isThorough}: ReportOptions): Report {
  const {findings, calls, seconds, left, isCutShort} = outcome
  const counts = {holds: 0, differs: 0, untried: 0}
  const assumptions = [...findings].map(([id, {verdict, seen}]) => {
    counts[verdict] += 1
    const {says, reliedOnIn, page, mend} = ASSUMPTIONS[id]
    const assumed = {id, assumed: says, verdict, seen, reliedOnIn, page}
    return verdict === 'differs' ? {...assumed, mend} : assumed
  })
  const at = new Date(dateMs).toISOString()
  const whole = {calls, seconds, cutShort: isCutShort, left, counts, assumptions}
  return {channel, at, thorough: isThorough, ...whole}
}

/** The same for people. */
export function toMarkdown(report: Report): string {
  const {assumptions} = report
  const of = (verdict: Verdict) => assumptions.filter((one) => one.verdict === verdict)
  const differing = of('differs').map(
    ({assumed, seen, reliedOnIn, page, mend = ''}) =>
      `- **${assumed}**\n  Seen: ${seen}. Relied on in \`${reliedOnIn}\` ([Slack’s page](${page})).\n  ${mend}`,
  )
  const rows = assumptions.map(({assumed, seen, verdict, reliedOnIn, page}) =>
    row([assumed, seen, checkTexts.verdicts[verdict], `\`${reliedOnIn}\``, `[page](${page})`]),
  )
  return [
    `# ${checkTexts.title}`,
    '',
    checkTexts.summary(report),
    ...(report.cutShort ? ['', checkTexts.cutShort] : []),
    ...(report.left.length > 0 ? ['', checkTexts.left(report.left)] : []),
    ...(differing.length > 0 ? ['', `## ${checkTexts.differing}`, '', ...differing] : []),
    '',
    `## ${checkTexts.all}`,
    '',
    row(checkTexts.columns),
    row(checkTexts.columns.map(() => '---')),
    ...rows,
    '',
  ].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
