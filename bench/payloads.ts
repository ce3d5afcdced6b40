import {parseArgs} from 'node:util'
import {runPayloads} from '../test/support/payloads/payloads.ts'

/**
 * Payloads that are signed and say anything at all, over HTTP, to the bot as an operator runs it. Ends with 1 when one of
 * them was not answered, ended the bot, or had an effect outside its place.
 */
const {values} = parseArgs({
  options: {count: {type: 'string', default: '50000'}, seed: {type: 'string', default: '1'}},
})
const startMs = performance.now()
const report = await runPayloads({
  count: Number(values.count),
  seed: values.seed,
  onBatch: (sent) => {
    if (sent % 5000 === 0) console.error(`${sent} sent`)
  },
})
const {wrong, memoryMb, ackMs, statuses, ...others} = report
const rows = {
  ...{...others, ...statuses, 'memory, MB': memoryMb.join(' ')},
  ...{'ack median, ms': ackMs.median, 'ack p99, ms': ackMs.p99, 'ack max, ms': ackMs.max},
  ...{wrong: wrong.length, seconds: Math.round((performance.now() - startMs) / 1000)},
}
for (const [name, value] of Object.entries(rows)) console.log(name.padEnd(40), value)
for (const line of wrong.slice(0, 20)) console.log(line)
if (wrong.length > 0 || !report.isAlive || !report.isSameProcess) process.exitCode = 1
