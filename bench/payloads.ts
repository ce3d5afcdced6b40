import {parseArgs} from 'node:util'
import {runPayloads} from '../test/support/payloads/payloads.ts'
import {atMost, endWith, never} from './lines.ts'

/**
 * Payloads that are signed and say anything at all, over HTTP, to the bot as an operator runs it. Each must be answered, and
 * none may end the bot or have an effect outside its place.
 */
/** Slack's own. */
const MAX_ACK_MS = 3000
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
  ...{'ack median, ms': ackMs.median, 'ack max, ms': ackMs.max},
  seconds: Math.round((performance.now() - startMs) / 1000),
}
for (const [name, value] of Object.entries(rows)) console.log(name.padEnd(40), value)
for (const line of wrong.slice(0, 20)) console.log(line)
endWith([
  never('wrong', wrong.length),
  never('ends of the bot', report.isAlive && report.isSameProcess ? 0 : 1),
  atMost('acknowledged, p99', ackMs.p99, MAX_ACK_MS, 'ms'),
])
