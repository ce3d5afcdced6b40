import {say, settled, type Script, type Assignment} from '../script.ts'

/** One sentence, no tools. */
export function playQuickReply({subject, ordinal, dice}: Assignment): Script {
  const reply = `Done with “${subject}”: ${dice.pick(['all good', 'that was easy', 'no surprises'])} (answer ${ordinal}).`
  return {turns: [settled(say(dice, reply))], rest: 'idle'}
}
