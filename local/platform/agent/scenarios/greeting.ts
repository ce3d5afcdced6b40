import {say, settled, think, type Script, type Assignment} from '../script.ts'

const PROMPT = 'Greet as captain'

/** What wakes a captain that got no brief. Section 4.4. */
export function toGreetingPrompt(name: string): string {
  return `${PROMPT} ${name}`
}

export const GREETING_PROMPT = new RegExp(`^${PROMPT}\\b`)

/** A captain introduces itself and asks what it shall do. */
export function playGreeting({subject, dice}: Assignment): Script {
  const name = subject.slice(PROMPT.length).trim()
  const greeting = `Hello 👋 I am ${name === '' ? 'your new captain' : `**${name}**, your new captain`}.

- ${dice.pick(['I look after this project from now on', 'I keep an eye on this project for you'])}
- I open threads of my own where work is to be done, and report here

What shall I take care of first?`
  return {turns: [settled(think(dice), say(dice, greeting))], rest: 'pending_user'}
}
