import {parseArgs} from 'node:util'
import {splitMarkdown} from '../src/markdown/split.ts'
import {drawSay} from '../src/slack/draw/draw.ts'
import {escapedLength} from '../src/slack/markup/markup.ts'
import {proveTexts} from '../test/support/text-proof.ts'

const {values} = parseArgs({
  options: {
    texts: {type: 'string', default: '100000'},
    seed: {type: 'string', default: '1'},
    rounds: {type: 'string', default: '9'},
  },
})

const LENGTH = 40_000
const MAX_COST = 3600

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

function drawAll(text: string): number {
  const start = performance.now()
  for (const {shown} of splitMarkdown(text, MAX_COST, escapedLength)) {
    drawSay({kind: 'say', markdown: shown}, [])
  }
  return performance.now() - start
}

function printTimes(): void {
  const rounds = Number(values.rounds)
  for (let round = 0; round < 20; round += 1) drawAll(ORDINARY.repeat(100))
  console.log(
    `${LENGTH} characters, split and drawn`.padEnd(36),
    'median'.padStart(9),
    'worst'.padStart(9),
  )
  for (const [name, unit] of Object.entries(SHAPES)) {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)
    const times = Array.from({length: rounds}, () => drawAll(text)).sort((a, b) => a - b)
    const figures = [times[Math.floor(rounds / 2)], times.at(-1)]
    console.log(name.padEnd(36), ...figures.map((ms = 0) => `${ms.toFixed(1)} ms`.padStart(9)))
  }
}

printTimes()
const start = performance.now()
const {findings, drafts, parts} = proveTexts({
  texts: Number(values.texts),
  seed: Number(values.seed),
  onThousand: (done) => process.stderr.write(`\r${done} texts`),
})
const seconds = ((performance.now() - start) / 1000).toFixed(0)
console.log(
  `\n${values.texts} texts, ${drafts} drafts, ${parts} parts, ${findings.length} findings, ${seconds} s`,
)
for (const finding of findings.slice(0, 20)) console.log(finding)
process.exitCode = findings.length > 0 ? 1 : 0
