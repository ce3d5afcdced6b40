import {say, settled, think, type Script, type Assignment, type MachinePost} from '../script.ts'
import {callTools} from './tools.ts'

/** A question that ends in a list of answers. */
export function playChoice({subject, dice}: Assignment): Script {
  const question = `For **${subject}** I see three ways, and each of them works.

Which one shall I take?

1. Round each line
2. Round once at the end
3. Count in whole cents`
  return {
    turns: [settled(think(dice), ...callTools(dice, 2)), settled(say(dice, question))],
    rest: 'pending_user',
  }
}

/** A question that code on its machine asks, with boxes to tick; without such a machine, one of its own. */
export function playSeveralChoices(assignment: Assignment): Script {
  const {dice, canPost} = assignment
  if (!canPost) return playChoice(assignment)
  const post: MachinePost = {
    text: 'The old function is called on **four pages**. Which ones shall I change?',
    options: ['Cart', 'Checkout', 'Invoices', 'Mails'],
    several: true,
  }
  const reply = 'I begin as soon as somebody has ticked what I shall change.'
  return {
    turns: [
      settled(think(dice), ...callTools(dice, 1, 1), {kind: 'post', post}),
      settled(say(dice, reply)),
    ],
    rest: 'idle',
  }
}

/** What a bot says in front of an answer to such a question. */
export const ANSWER = /^Answer to “/

/** What was chosen stands in the lines below the question. */
export function playAnswer({text, dice}: Assignment): Script {
  const chosen = text
    .split('\n')
    .slice(1)
    .map((line) => `**${line.replace(/^- /, '')}**`)
  const reply = `Understood: ${chosen.join(', ')}. That is done, and nothing else has changed ✅`
  return {
    turns: [settled(think(dice), ...callTools(dice, 2, 3)), settled(say(dice, reply))],
    rest: 'idle',
  }
}
