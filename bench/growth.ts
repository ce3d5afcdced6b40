import {parseArgs} from 'node:util'
import fc from 'fast-check'
import {readableLength} from '../src/markdown/readable.ts'
import {toVisible} from '../src/markdown/visible.ts'
import {jumpsOf} from '../test/support/growth.ts'
import {createHostileTexts} from '../test/support/hostile-texts.ts'
import {growing, ordinaryMarkdown} from '../test/support/ordinary-markdown.ts'
import {atLeast, atMost, endWith, never} from './lines.ts'

const {values} = parseArgs({
  options: {texts: {type: 'string', default: '500'}, seed: {type: 'string', default: '1'}},
})
const texts = Number(values.texts)
const seed = Number(values.seed)

const LENGTH = 64_000
/** For the slowest shape: a text is read at every fragment, in a loop that nothing may hold up for 200 ms. */
const MAX_MS = 50
const SHAPES: Readonly<Record<string, string>> = {
  'ordinary blocks': '## Title\n\nSome **bold** `code`\n\n- one\n  - two\n\n```ts\na < b\n```\n\n',
  'one paragraph': 'Some **bold** text with `code` and a [link](https://example.com/a?b=c&d=e). ',
  brackets: '[',
  'open emphasis': '*a ',
  backticks: '`a``b',
  'broken links': '[a](b',
  'lines with a bar': '|a\n',
  headings: 'a\n-\n',
  'less than': '<',
}

/** Of the slowest shape, the median. */
function measureTimes(): number {
  const medians: number[] = []
  console.log(`${LENGTH} characters`.padEnd(24), 'median'.padStart(9), 'worst'.padStart(9))
  for (const [name, unit] of Object.entries(SHAPES)) {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)
    const times = Array.from({length: 29}, () => timeOf(text)).sort((a, b) => a - b)
    const figures = [times[14], times.at(-1)]
    medians.push(times[14] ?? NaN)
    console.log(name.padEnd(24), ...figures.map((ms = 0) => `${ms.toFixed(1)} ms`.padStart(9)))
  }
  return Math.max(...medians)
}

/** In milliseconds of the processor: whatever else the machine does meanwhile says nothing of the text. */
function timeOf(text: string): number {
  const before = process.threadCpuUsage()
  readableLength(text)
  const {user, system} = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** How many of them jumped, in how many states; the first findings of those that must not. */
function judge(name: string, all: readonly (readonly string[])[]): string[] {
  const counts = {falls: 0, rewrites: 0, flickers: 0}
  const findings: string[] = []
  let held = 0
  for (const states of all) {
    for (const {kind, before, after} of jumpsOf(states)) {
      counts[kind] += 1
      findings.push(`${kind}\n  ${JSON.stringify(before)}\n  ${JSON.stringify(after)}`)
    }
    for (const state of states) held += state.length - readableLength(state)
  }
  const states = all.reduce((sum, {length}) => sum + length, 0)
  const share = (count: number): string => `${count} (${((100 * count) / states).toFixed(3)} %)`
  console.log(
    `${name}: ${all.length} texts, ${states} states, ${(held / states).toFixed(1)} characters held back`,
    `\n  fall ${share(counts.falls)}, rewrite ${share(counts.rewrites)}, flicker ${share(counts.flickers)}`,
  )
  return findings
}

function hostileStates(): string[][] {
  const hostile = createHostileTexts(seed)
  return Array.from({length: texts}, () => {
    const text = hostile.next(1 + hostile.below(8))
    const states: string[] = []
    for (let end = 1 + hostile.below(40); end < text.length; end += 1 + hostile.below(40)) {
      // Half a character or line end may be at the end of what came; what shows nothing is not shown.
      const state = toVisible(text.slice(0, end).replace(/[\uD800-\uDBFF\r]$/, ''))
      if (/[\p{L}\p{N}]/u.test(state.slice(0, readableLength(state)))) states.push(state)
    }
    return states
  })
}

const slowestMs = measureTimes()
const ordinary = fc.sample(growing(ordinaryMarkdown), {numRuns: texts, seed})
const findings = judge('ordinary', ordinary)
judge('hostile', hostileStates())
for (const finding of findings.slice(0, 20)) console.log(finding)
endWith([
  atMost(`${LENGTH} characters of the slowest shape, median`, slowestMs, MAX_MS, 'ms'),
  atLeast(
    'states of ordinary texts',
    ordinary.reduce((sum, {length}) => sum + length, 0),
    1,
  ),
  never('falls, rewrites and flickers in them', findings.length),
])
