import {parseArgs} from 'node:util'
import {type Line, endWith} from './lines.ts'
import {measureClicks} from './once/clicks.ts'
import {measureDeliveries} from './once/deliveries.ts'
import {measureLostAnswers} from './once/lost-answers.ts'
import type {Part} from './once/part.ts'

/** Whether everything that people do counts once, however often it arrives; judged by the platform's ledger. */

const {values: options} = parseArgs({
  options: {
    clicks: {type: 'string', default: '1000'},
    deliveries: {type: 'string', default: '10000'},
    lost: {type: 'string', default: '500'},
    seed: {type: 'string', default: '1'},
  },
})

const parts: Readonly<Record<string, () => Promise<Part>>> = {
  clicks: () => measureClicks(Number(options.clicks)),
  deliveries: () => measureDeliveries(Number(options.deliveries), options.seed),
  lost: () => measureLostAnswers(Number(options.lost), options.seed),
}

const lines: Line[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (Number(options[name as keyof typeof options]) === 0) continue
  const beganMs = performance.now()
  const part = await measure()
  const seconds = Math.round((performance.now() - beganMs) / 1000)
  for (const [what, value] of Object.entries({...part.told, seconds})) {
    console.log(`${what.padEnd(50)}${value}`)
  }
  lines.push(...part.lines)
}
endWith(lines)
