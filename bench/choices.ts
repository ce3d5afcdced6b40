import {parseArgs} from 'node:util'
import {stormChoices} from '../test/support/choice-storm.ts'

/**
 * Questions with buttons, each pressed by two people in the same instant, mostly on different answers: the agent gets one
 * answer to each, the message names whoever gave it, and the other hears who was first. Judged by the platform's ledger.
 * Ends with 1 when one of them is not so.
 */
const {values: options} = parseArgs({
  options: {questions: {type: 'string', default: '500'}, seed: {type: 'string', default: '1'}},
})
const beganMs = performance.now()
const report = await stormChoices(Number(options.questions), options.seed)
const seconds = Math.round((performance.now() - beganMs) / 1000)
for (const [what, value] of Object.entries({...report, seconds})) {
  console.log(`${what.padEnd(50)}${value}`)
}
process.exitCode = report.wrong + report.misnamed + report.unheard === 0 ? 0 : 1
