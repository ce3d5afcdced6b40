import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {VERSION} from '../src/store/database/migrate.ts'
import {createDice} from '../local/platform/agent/dice.ts'
import {whyUnusable} from '../test/support/postgres-server.ts'
import {downgrade} from '../test/support/released/downgrade.ts'
import {checkOut} from '../test/support/released/tree.ts'
import {type UpgradeReport, tryUpgrades} from '../test/support/released/upgrading.ts'
import {GOES_ON_FROM, RELEASED} from '../test/support/released/versions.ts'
import {atLeast, endWith, endWithout, never} from './lines.ts'

/**
 * Upgrades the databases of all released versions, on both databases: idle, while another process reads and writes, and killed
 * at random moments. No kill may leave anything but the old database or the new one, whole, and the next start ends it.
 * Afterwards the old version's own code, from the history, is started on it, and has to refuse it in words.
 */

/** What a version says of a database that a later one has changed. */
const NEWER = /newer version of Bosun/

const {values: options} = parseArgs({
  options: {kills: {type: 'string', default: '200'}, seed: {type: 'string', default: '1'}},
})
await main()

async function main(): Promise<void> {
  const why = await whyUnusable()
  if (why !== undefined) {
    endWithout(`PostgreSQL: ${why}`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'bosun-upgrades-'))
  const runs = RELEASED.flatMap((version) => version.on.map((engine) => ({version, engine})))
  const kills = Math.ceil(Number(options.kills) / runs.length)
  const startMs = performance.now()
  const lines: string[] = []
  const reports: UpgradeReport[] = []
  try {
    for (const {version, engine} of runs) {
      const {name} = version
      const what = {name, engine, kills, isBusyTried: true}
      const dice = createDice(`${options.seed} ${name} ${engine}`)
      const place = {folder, prefix: `bosun_upgrades_${process.pid}_`}
      const report = await tryUpgrades({...what, dice}, place)
      const tree = checkOut(version.migration, join(folder, `tree-${name}-${engine}`))
      let after = 'its code is not in the history'
      if (tree !== undefined) {
        const said = await downgrade(tree, version, engine, place)
        const migration = Number.parseInt(version.migration, 10)
        const mayGoOn =
          migration === VERSION || (engine === 'postgres' && migration >= GOES_ON_FROM)
        const isRight = mayGoOn ? said === undefined : NEWER.test(said ?? '')
        if (!isRight)
          report.problems.push(`${name} on ${engine}, afterwards: ${said ?? 'it opens'}`)
        after = said === undefined ? 'works with it' : 'is refused in words'
      }
      reports.push(report)
      lines.push(lineOf(`${name} on ${engine}`, report, after))
      process.stderr.write(`${lines.at(-1)}\n`)
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
  const sum = (of: (report: UpgradeReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0)
  const problems = reports.flatMap((report) => report.problems)
  console.log(`seed ${options.seed}, ${sum((report) => report.kills)} kills
| version | idle | busy | killed: as before + done | wrong | the old version, afterwards |
| --- | ---: | ---: | ---: | ---: | --- |
${lines.join('\n')}
in ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
  for (const problem of problems.slice(0, 20)) console.log(problem)
  endWith([
    never('wrong', problems.length),
    atLeast(
      'kills that met an upgrade',
      sum(({rolledBack}) => rolledBack),
      1,
    ),
  ])
}

function lineOf(what: string, report: UpgradeReport, after: string): string {
  const {idleMs, busyMs, kills, rolledBack, problems} = report
  const ms = (value = 0): string => `${value.toFixed(0)} ms`
  const killed = `${rolledBack} + ${kills - rolledBack}`
  return `| ${what} | ${ms(idleMs)} | ${ms(busyMs)} | ${killed} | ${problems.length} | ${after} |`
}
