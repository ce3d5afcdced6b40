import {parseArgs} from 'node:util'
import {stormChoices} from '../test/support/choice-storm.ts'
import {endWith, exactly, never} from './lines.ts'

/**
 * Questions with buttons, each pressed by two people in the same instant, mostly on different answers: the agent gets one
 * answer to each, the message names whoever gave it, and the other hears who was first. Judged by the platform's ledger.
 */
const {values: options} = parseArgs({
  options: {questions: {type: 'string', default: '500'}, seed: {type: 'string', default: '1'}},
})
const beganMs = performance.now()
const {questions, wrong, misnamed, unheard} = await stormChoices(
  Number(options.questions),
  options.seed,
)
console.log(`${Math.round((performance.now() - beganMs) / 1000)} s`)
endWith([
  exactly('questions', questions, Number(options.questions)),
  never('wrong', wrong),
  never('misnamed', misnamed),
  never('unheard', unheard),
])
