import {parseArgs} from 'node:util'
import {BROKEN_PLATFORMS} from '../test/support/broken-platforms/breaks.ts'
import {type Judged, judge, judgeAll} from '../test/support/broken-platforms/judge.ts'
import type {BrokenPlatform} from '../test/support/broken-platforms/ways.ts'
import {atLeast, endWith, never} from './lines.ts'

/** Tries what check-platform says of the embedded platform, and of each of those that break one rule, with all rules. */

const {values} = parseArgs({
  options: {
    /** Those whose name holds this. */
    only: {type: 'string'},
    /** A sample: every so many of the broken ones, and the first of those that are as they should be. */
    every: {type: 'string', default: '1'},
  },
})
const every = Number(values.every)

const WHOLE = [
  {key: 'human', vocabulary: 'guides'},
  {key: 'human', vocabulary: 'schema'},
  {key: 'readWrite', vocabulary: 'guides'},
  {key: 'scoped', vocabulary: 'schema'},
] as const

const wrong = {unnamed: [] as string[], false: [] as string[], left: [] as string[]}
const note = (what: string, {report, named, left}: Judged, wanted: readonly string[]): void => {
  const missing = wanted.filter((rule) => !named.includes(rule))
  const falsely = named.filter((rule) => !wanted.includes(rule))
  const tried = report.verdicts.filter(({state}) => state !== 'untried').length
  const seconds = (report.ms / 1000).toFixed(1)
  console.log(
    `${what.padEnd(46)} ${named.length} named, ${tried} tried, ${report.calls} calls, ${seconds} s`,
  )
  for (const rule of missing) wrong.unnamed.push(`${what}: not named: ${rule}`)
  for (const rule of falsely) wrong.false.push(`${what}: falsely named: ${rule}`)
  if (left > 0 || report.left.length > 0)
    wrong.left.push(`${what}: ${left} threads are left behind`)
}

if (values.only === undefined) {
  for (const whole of WHOLE.filter((_whole, index) => index % every === 0)) {
    note(`as it is, key ${whole.key}, vocabulary ${whole.vocabulary}`, await judge({}, whole), [])
  }
}
const broken = BROKEN_PLATFORMS.filter(
  ({name}, index) => name.includes(values.only ?? '') && index % every === 0,
)
await judgeAll(broken, async ({name, named, breaks}: BrokenPlatform) =>
  note(name, await judge(breaks()), named),
)
const rules = new Set(broken.flatMap(({named}) => named)).size
for (const line of Object.values(wrong).flat()) console.log(line)
endWith([
  atLeast('broken platforms', broken.length, 1),
  atLeast('rules among them', rules, 1),
  never('rules not named', wrong.unnamed.length),
  never('rules falsely named', wrong.false.length),
  never('threads left behind', wrong.left.length),
])
