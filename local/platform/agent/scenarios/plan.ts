import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** What a bot says to an agent that is to make a plan first. */
export function asksForPlan(text: string): boolean {
  return /^Make a plan first\b/m.test(text)
}

/** What lets it begin. */
export function isGoAhead(task: string): boolean {
  return /^go ahead with the plan[.!]?$/i.test(task)
}

/** A look around, then a plan; nothing is changed. */
export function playPlan(assignment: Assignment): Script {
  const {subject, dice} = assignment
  return toPlan(assignment, [
    `Here is my plan for **${subject}**:`,
    '1. **Read** every place that rounds a price: the cart, the invoices and the mails',
    '2. **Move** the rounding into one function, and have the tests say what it owes',
    '3. **Measure** before and after, and write it down',
    `It touches ${dice.int(5, 9)} files. Nothing is changed yet.`,
  ])
}

/** The same, as somebody wants it instead. */
export function playChangedPlan(assignment: Assignment): Script {
  return toPlan(assignment, [
    `I changed the plan, as you said: **${assignment.subject}**.`,
    '1. **Read** what that is about, and nothing else',
    '2. **Change** it in one place, with a test in front of it',
    `It touches ${assignment.dice.int(2, 4)} files. Nothing is changed yet.`,
  ])
}

function toPlan({dice}: Assignment, [opening, ...rest]: [string, ...string[]]): Script {
  const steps = rest.slice(0, -1).join('\n')
  const plan = [opening, steps, rest.at(-1)].join('\n\n')
  return {
    turns: [settled(think(dice), ...callTools(dice, 2)), settled(say(dice, plan))],
    rest: 'pending_user',
  }
}
