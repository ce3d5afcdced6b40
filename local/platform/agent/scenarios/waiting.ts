import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** A push, then a wait for something outside, after which the agent wakes by itself. Section 3.1. */
export function playWaiting({subject, dice}: Assignment): Script {
  const pushed = `I pushed **${subject}** and am waiting for CI. It takes about ${dice.int(4, 9)} minutes; I will be back.`
  const green = `CI is green for **${subject}** ✅ All ${dice.int(180, 260)} checks passed, so it is ready for your review.`
  return {
    turns: [settled(think(dice), ...callTools(dice, 2, 3), say(dice, pushed))],
    rest: 'waiting',
    wake: {
      afterMs: 12_000,
      script: {
        turns: [settled(think(dice), ...callTools(dice, 1, 8), say(dice, green))],
        rest: 'ready_for_review',
      },
    },
  }
}
