import {type Assignment, type Script, say, settled, think} from '../script.ts'
import {callTools} from './tools.ts'

/** What Bosun tells an agent of a pull request that waits for something: `fixTexts` of the bot. */
export const FIX_REQUEST = /^About the pull request (\S+): /

/** It is fixed in the pull request that stands, and pushed. */
export function playFix({text, dice, fixPullRequest}: Assignment): Script {
  const [, address = ''] = FIX_REQUEST.exec(text) ?? []
  fixPullRequest(address)
  const reply = `I found it: an empty cart has no currency, and \`total.ts\` asked for one. It is fixed, and pushed to ${address}. The checks run again.`
  return {
    turns: [
      settled(think(dice), ...callTools(dice, 2, 2)),
      settled(...callTools(dice, 1, 8), say(dice, reply)),
    ],
    rest: 'idle',
  }
}
