import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {parseArgs} from 'node:util'

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
const {status} = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files],
  {cwd: root, stdio: 'inherit', env: {...process.env, WORLD_LOG_LEVEL: values.level}},
)
process.exitCode = status ?? 1
