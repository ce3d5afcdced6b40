// Two bots in one process, each with the settings of a workspace of its own: `BOTS` holds them as JSON.
import {pino} from 'pino'
import {z} from 'zod'
import {startBot} from '../../src/app/app.ts'
import {readConfig} from '../../src/config/config.ts'
import {createLeaks} from '../../src/security/leaks.ts'

const settings = z
  .array(z.record(z.string(), z.string()))
  .parse(JSON.parse(process.env['BOTS'] ?? '[]'))
const ending = new AbortController()
const log = pino({level: 'error', base: null})
const bots = await Promise.all(
  settings.map((one) => startBot(readConfig(one), {log, leaks: createLeaks()}, ending.signal)),
)
console.log(`${bots.length} bots are ready`)

process.once('SIGTERM', () => {
  ending.abort()
  void Promise.all(bots.map((bot) => bot[Symbol.asyncDispose]())).then(() => process.exit())
})
