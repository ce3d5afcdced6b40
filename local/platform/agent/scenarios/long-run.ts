import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** About a minute of work with three deliveries on the way, the last one longer than one Slack message. */
export function playLongRun(assignment: Assignment): Script {
  const {dice} = assignment
  return {
    turns: [
      settled(think(dice), ...callTools(dice, 3)),
      settled(say(dice, writePlan(assignment)), ...callTools(dice, 3, 3)),
      settled(think(dice), ...callTools(dice, 6, 6)),
      settled(...callTools(dice, 2, 3), say(dice, writeProgress(assignment))),
      settled(think(dice), ...callTools(dice, 6, 5)),
      settled(think(dice), say(dice, writeReport(assignment))),
    ],
    rest: 'idle',
  }
}

function writePlan({subject}: Assignment): string {
  return `I will go through **${subject}** in three steps: read, change, measure. First results in a moment 🔍`
}

function writeProgress({subject, dice}: Assignment): string {
  return `### Half way through ${subject}

- [x] read all ${dice.int(120, 180)} call sites
- [x] moved the rounding to one place
- [ ] measure, and write it down

The only surprise so far: \`formatPrice\` is called from the mail templates too, with a *string*. I keep it working and
note it in the report.`
}

const AREAS = [
  ['Cart', 'cart/total.ts'],
  ['Checkout', 'checkout/summary.ts'],
  ['Invoices', 'invoice/lines.ts'],
  ['Refunds', 'refund/amount.ts'],
  ['Vouchers', 'voucher/apply.ts'],
  ['Shipping', 'shipping/rates.ts'],
  ['Taxes', 'tax/rules.ts'],
  ['Mail templates', 'mail/prices.ts'],
] as const

function writeReport(assignment: Assignment): string {
  const sections = AREAS.map((area, index) => writeSection(assignment, area, index + 1))
  return `# Report: ${assignment.subject}

All three steps are done. The summary comes first, the areas follow one by one.

| Area | Calls | Slower or faster |
| --- | ---: | --- |
${AREAS.map(([name]) => `| ${name} | ${assignment.dice.int(3, 40)} | ${assignment.dice.int(2, 30)} % faster |`).join('\n')}

${sections.join('\n\n')}

That is all for ${assignment.subject}. The measurements can be repeated with \`npm run bench\` 🚀`
}

function writeSection(
  {dice}: Assignment,
  [name, file]: (typeof AREAS)[number],
  position: number,
): string {
  return `## ${position}. ${name}

The code in \`src/${file}\` rounded in ${dice.int(2, 5)} places, and each of them was right on its own. Together they were off by a
cent in about one order of ${dice.int(300, 900)}. It now asks [the one function](https://docs.example.com/money#${position}) that rounds, and
passes whole cents everywhere else. Nothing that callers see has changed, apart from the sum being right. Whoever added a price by hand
before can go on doing so; the old name stays as an alias until the next major version.

\`\`\`ts
export const ${name.split(' ')[0]?.toLowerCase() ?? 'area'}Total = (lines: readonly Line[]): Money =>
  roundOnce(lines.reduce((cents, line) => cents + line.cents, ${position - 1}))
\`\`\`

- measured with ${dice.int(2, 9)}00 orders of last month
- reviewed by hand: ${dice.int(10, 60)} of them ${dice.pick(['👍', '✨', '🧾'] as const)}`
}
