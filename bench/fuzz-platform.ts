import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {fuzz} from '../test/support/fuzz.ts'
import {atMost, endWith, exactly, never} from './lines.ts'
import {startMeasuredPlatform} from './measured-platform.ts'
import {type Point, leastSlope, showSlope, slopeOf} from './slope.ts'

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
/** What the first requests bring into memory stays there once: threads, tables, compiled code. */
const WARM_UP = 0.4
/** Of the heap, for each 10,000 requests. What requests make stays, as it does at any platform: threads and their transcripts. */
const MAX_GROWTH_MB = 20
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
  const total = Number(options.requests)
  const heaps: Point[] = []
  const {findings, statuses} = await fuzz({
    ...{originUrl, routes, keys: Object.values(keys)},
    seed: options.seed,
    requests: total,
    onThousand: async (done) => {
      const {rssMb, heapMb, loopP99Ms} = await platform.vitals()
      if (done > WARM_UP * total) heaps.push([done / 10_000, heapMb])
      if (done % 10_000 !== 0) return
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
  const slope = slopeOf(heaps)
  console.log(`the heap grows by ${showSlope(slope)} MB for each 10,000 requests`)
  for (const finding of findings.slice(0, SHOWN_FINDINGS)) console.log(`\n${finding}`)
  const answered = Object.values(statuses).reduce((sum, times) => sum + times, 0)
  endWith([
    exactly('requests', answered, total),
    never('answers out of form', findings.length),
    atMost(
      'growth of the heap for each 10,000 requests, at least',
      slope && leastSlope(slope),
      MAX_GROWTH_MB,
      'MB',
    ),
  ])
}
