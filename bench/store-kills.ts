import {parseArgs} from 'node:util'
import {type KillReport, killWriters} from '../test/support/store-kills.ts'
import {atLeast, endWith, never} from './lines.ts'

/** Kills of a process that writes to the store: whether the database stays whole, and all that was acknowledged in it. */

const {values: options} = parseArgs({
  options: {
    kills: {type: 'string', default: '10000'},
    seed: {type: 'string', default: '1'},
    /** Databases that are written and killed side by side. */
    lanes: {type: 'string', default: '2'},
  },
})
const SHOWN_PROBLEMS = 20
await main()

async function main(): Promise<void> {
  const lanes = Number(options.lanes)
  const startMs = performance.now()
  let shown = 0
  let kills = 0
  const onKill = (): void => {
    kills += 1
    const part = Math.floor((10 * kills) / Number(options.kills))
    if (part > shown) process.stderr.write(`${kills} kills\n`)
    shown = part
  }
  const reports = await Promise.all(
    Array.from({length: lanes}, (_, lane) =>
      killWriters({
        kills: Math.ceil(Number(options.kills) / lanes),
        seed: `${options.seed}-${lane}`,
        onKill,
      }),
    ),
  )
  print(reports, (performance.now() - startMs) / 1000)
}

function print(reports: readonly KillReport[], seconds: number): void {
  const sum = (of: (report: KillReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0)
  const problems = reports.flatMap((report) => report.problems)
  console.log(`seed ${options.seed}
kills
  in a first start (migrations)  ${sum(({beforeOpen}) => beforeOpen.new)}
  in a repair after a kill       ${sum(({beforeOpen}) => beforeOpen.old)}
time                             ${seconds.toFixed(0)} s`)
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.log(problem)
  endWith([
    atLeast(
      'kills',
      sum(({kills}) => kills),
      Number(options.kills),
    ),
    atLeast(
      'acknowledged',
      sum(({acknowledged}) => acknowledged),
      1,
    ),
    never('lost or damaged', problems.length),
  ])
}
