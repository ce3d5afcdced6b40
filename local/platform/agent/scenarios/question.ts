import {say, settled, think, type Script, type Assignment} from '../script.ts'

/** The agent needs an answer before it goes on. */
export function playQuestion({subject, dice}: Assignment): Script {
  const days = dice.pick([7, 14, 30] as const)
  const reply = `Before I start on **${subject}** I need one decision from you.

- **A:** keep the old records for ${days} days, then delete them
- **B:** delete them at once

Which one shall I build, A or B?`
  return {turns: [settled(think(dice), say(dice, reply))], rest: 'pending_user'}
}
