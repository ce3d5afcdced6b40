import {parseArgs} from 'node:util'
import {runKills} from '../test/support/kill-points.ts'
import {endWith, exactly, never} from './lines.ts'

/**
 * The bot is killed with SIGKILL while many threads are at work: before, when and after a call is applied, and around
 * its own commits. The verdict comes from the ledgers alone.
 */

const {values: options} = parseArgs({
  options: {
    kills: {type: 'string', default: '40'},
    threads: {type: 'string', default: '50'},
    writer: {type: 'string', default: 'auto'},
    seed: {type: 'string', default: '1'},
  },
})

const report = await runKills({
  seed: options.seed,
  kills: Number(options.kills),
  threads: Number(options.threads),
  writer: options.writer,
  tell: console.log,
})
const {deaths, interactions, wrongs, details, different, kills, points, threads, replies, seconds} =
  report
for (const [name, times] of deaths) console.log(`  ${name.padEnd(68)}${times}`)
for (const [name, times] of interactions) console.log(`  people: ${name.padEnd(60)}${times}`)
const rows: [string, string | number][] = [
  ['kill points', points],
  ['threads', threads],
  ['replies', replies],
  ['seconds', Math.round(seconds)],
]
for (const [name, value] of rows) console.log(`${name.padEnd(70)}${value}`)
for (const line of [...details, ...different].slice(0, 10)) console.log(line.slice(0, 3000))
endWith([
  exactly('kills', kills, Number(options.kills)),
  ...Object.entries(wrongs).map(([name, count]) => never(name, count)),
  never('places that look different', different.length),
])
