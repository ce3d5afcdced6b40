import {parseArgs} from 'node:util'
import {splitMarkdown} from '../src/markdown/split.ts'
import {drawSay} from '../src/slack/draw/draw.ts'
import {escapedLength} from '../src/slack/markup/markup.ts'
import {proveTexts} from '../test/support/text-proof.ts'
import {atLeast, atMost, endWith, never} from './lines.ts'

const {values} = parseArgs({
  options: {
    texts: {type: 'string', default: '100000'},
    seed: {type: 'string', default: '1'},
    rounds: {type: 'string', default: '9'},
  },
})

const LENGTH = 40_000
const MAX_COST = 3600
/** Of the slowest shape: nothing may hold up the loop for 200 ms (bench/stall.ts). */
const MAX_MS = 200
/** By how many times a text takes longer that is twice as long: 2 where time is in proportion, 4 where each letter looks at all others. */
const MAX_TIMES = 3.3
/** What takes less, whatever its length, is measured by the ticks of the clock alone. */
const LEAST_MS = 10

const ORDINARY = [
  '# Title\n\nSome **bold** text with `code` and a [link](https://example.com/a?b=c&d=e), and more of it.\n',
  '- one\n- two\n  - three\n\n```ts\nconst a = 1 < 2 && b\n```\n',
  '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n',
].join('\n')

/** Each is repeated up to the length. */
const SHAPES: Readonly<Record<string, string>> = {
  ordinary: ORDINARY,
  brackets: '[',
  'open emphasis': '*a ',
  underscores: '_a',
  backticks: '`a``b',
  'rows of a table': '|a|b|\n|-|-|\n',
  'less than': '<',
  quotes: '>',
  'quotes in lists': '> - ',
  'items in items': '1. ',
  entities: '&lt;',
  ampersands: '&',
  'broken links': '[a](b',
  images: '![',
  links: '[a](https://a.example/b) ',
  'lying links': '[bank.com](https://a.example/b)',
  definitions: '[a]: https://b\n',
  backslashes: '\\\\',
  headings: 'a\n-\n',
  fences: '```\n',
  'line ends': '\n',
  emoji: '👩🏽‍💻',
}

/** In milliseconds of the processor: whatever else the machine does meanwhile says nothing of the text. */
function drawAll(text: string): number {
  const before = process.threadCpuUsage()
  for (const {shown} of splitMarkdown(text, MAX_COST, escapedLength)) {
    drawSay({kind: 'say', markdown: shown}, [])
  }
  const {user, system} = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Of the slowest shape: how long it takes, and how many times as long as half of it. */
function measureTimes(): {slowestMs: number; growth: number} {
  const worst = {slowestMs: 0, growth: 0}
  const rounds = Number(values.rounds)
  for (let round = 0; round < 20; round += 1) drawAll(ORDINARY.repeat(100))
  console.log(
    `${LENGTH} characters, split and drawn`.padEnd(36),
    'mean'.padStart(9),
    'worst'.padStart(9),
    'twice'.padStart(9),
  )
  for (const [name, unit] of Object.entries(SHAPES)) {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)
    // As much of each: their clock ticks every few milliseconds, and short texts would be measured by its ticks.
    const rows = Array.from({length: rounds}, () => [
      drawAll(text),
      drawAll(text.slice(0, LENGTH / 2)) + drawAll(text.slice(LENGTH / 2)),
    ])
    const sumOf = (index: number): number => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0)
    const meanMs = sumOf(0) / rounds
    const growth = (2 * sumOf(0)) / sumOf(1)
    const worstMs = Math.max(...rows.map(([whole = NaN]) => whole))
    const figures = [meanMs, worstMs].map((ms) => `${ms.toFixed(1)} ms`)
    console.log(
      name.padEnd(36),
      ...[...figures, `× ${growth.toFixed(2)}`].map((it) => it.padStart(9)),
    )
    worst.slowestMs = Math.max(worst.slowestMs, meanMs)
    if (meanMs > LEAST_MS) worst.growth = Math.max(worst.growth, growth)
  }
  return worst
}

const {slowestMs, growth} = measureTimes()
const start = performance.now()
const {findings, drafts, parts} = proveTexts({
  texts: Number(values.texts),
  seed: Number(values.seed),
  onThousand: (done) => process.stderr.write(`\r${done} texts`),
})
const each = (performance.now() - start) / Number(values.texts)
console.log(`\n${values.texts} texts, ${drafts} drafts, ${parts} parts, ${each.toFixed(1)} ms each`)
for (const finding of findings.slice(0, 20)) console.log(finding)
endWith([
  atMost(`${LENGTH} characters of the slowest shape, mean`, slowestMs, MAX_MS, 'ms'),
  atMost('times as long as half of them, worst shape', growth, MAX_TIMES),
  atLeast('parts that were judged', parts, 1),
  never('findings', findings.length),
])
