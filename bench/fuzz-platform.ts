import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {fuzz} from '../test/support/fuzz.ts'
import {startMeasuredPlatform} from './measured-platform.ts'

/** Requests of all kinds to the embedded platform: whether each answer is in form, and whether memory stays flat. */

const {values: options} = parseArgs({
  options: {
    requests: {type: 'string', default: '100000'},
    seed: {type: 'string', default: '1'},
    /** Rows of the ledger in memory: few, so that they are full before long. */
    'ledger-rows': {type: 'string', default: '2000'},
  },
})
const SHOWN_FINDINGS = 20
await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'fuzz-'))
  opened.defer(() => rm(folder, {recursive: true, force: true}))
  const platform = opened.use(
    await startMeasuredPlatform({
      dataFile: join(folder, 'platform.db'),
      pace: 0.001,
      ledgerRows: Number(options['ledger-rows']),
    }),
  )
  const {originUrl, controlUrl, keys} = platform
  const {routes} = z
    .object({routes: z.array(z.object({method: z.string(), path: z.string()}))})
    .parse(await (await fetch(`${controlUrl}/routes`)).json())
  const startedMs = performance.now()
  const {findings, statuses} = await fuzz({
    ...{originUrl, routes, keys: Object.values(keys)},
    seed: options.seed,
    requests: Number(options.requests),
    onThousand: async (done) => {
      if (done % 10_000 !== 0) return
      const {rssMb, heapMb, loopP99Ms} = await platform.vitals()
      const cells = [
        `${rssMb.toFixed(0)} MB`,
        `heap ${heapMb.toFixed(0)} MB`,
        `p99 ${loopP99Ms.toFixed(0)} ms`,
      ]
      console.log([String(done).padStart(7), ...cells].join('   '))
    },
  })
  const seconds = (performance.now() - startedMs) / 1000
  console.log(`${options.requests} requests in ${seconds.toFixed(0)} s, by status:`, statuses)
  console.log(`${findings.length} findings`)
  for (const finding of findings.slice(0, SHOWN_FINDINGS)) console.log(`\n${finding}`)
  if (findings.length > 0) process.exitCode = 1
}
