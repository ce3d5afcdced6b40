import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {atLeast, endWith, exactly, never} from './lines.ts'

/**
 * The suite once more, with bots that log all they can: every world then searches all that its bot wrote and said for
 * every secret that the bot was given, in many forms, and fails where one stands. `node bench/canaries.ts test/world/stop`
 * takes the files whose names begin so; the default is every file that opens a world.
 */
const {values, positionals} = parseArgs({
  options: {level: {type: 'string', default: 'trace'}},
  allowPositionals: true,
})
const root = join(import.meta.dirname, '..')
const files = positionals.length > 0 ? positionals : ['test/world']
const folder = mkdtempSync(join(tmpdir(), 'bosun-canaries-'))
try {
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const {status} = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...files], {
    ...{cwd: root, stdio: 'inherit', env: {...process.env, WORLD_LOG_LEVEL: values.level}},
  })
  const {numPassedTests, numFailedTests} = z
    .object({numPassedTests: z.number(), numFailedTests: z.number()})
    .parse(JSON.parse(readFileSync(report, 'utf8')))
  endWith([
    atLeast('tests that searched for secrets', numPassedTests, 1),
    never('tests that failed', numFailedTests),
    exactly('how vitest ended', status ?? undefined, 0),
  ])
} finally {
  rmSync(folder, {recursive: true, force: true})
}
