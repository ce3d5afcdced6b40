import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** The start of a review round, as the platform words it. Section 4.8. */
export const REVIEW_KICKOFF = /^Review \S+#[1-9][0-9]* at \S+$/

/** A look at one state of a pull request; the reply is the outcome of the round. */
export function playReview({dice}: Assignment): Script {
  const line = dice.int(12, 90)
  const outcome = `**2 findings**, neither of them blocks the merge.

1. \`src/cart/total.ts:${line}\`: an empty cart still asks for the exchange rate; return early.
2. \`test/cart/total.test.ts:${line + dice.int(10, 60)}\`: ${dice.pick(['amounts without cents', 'vouchers above the sum', 'a cart of one line'])} would be worth a case.

Everything else reads well, and the checks are green ✅`
  return {
    turns: [
      settled(think(dice), ...callTools(dice, 2)),
      settled(...callTools(dice, 1, 2), say(dice, outcome)),
    ],
    rest: 'idle',
  }
}
