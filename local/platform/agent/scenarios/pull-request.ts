import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** Work that ends in something to review. */
export function playPullRequest({subject, dice, openPullRequest}: Assignment): Script {
  const reply = `I opened a pull request for **${subject}**: ${openPullRequest(subject)}

- ${dice.int(2, 6)} files changed, all in \`src/cart\`
- the tests pass on my machine ✅

Please look at \`total.ts\` first; the rest follows from it.`
  return {
    turns: [
      settled(think(dice), ...callTools(dice, 2, 2)),
      settled(...callTools(dice, 1, 8), say(dice, reply)),
    ],
    rest: 'ready_for_review',
  }
}
