import {
  draft,
  fanOut,
  say,
  settled,
  think,
  type Script,
  type Assignment,
  type TaskPlan,
  type Turn,
} from '../script.ts'
import {callTools} from './tools.ts'

/**
 * Fans out to five tasks on three levels and sums up. With the word `fail` the deepest one breaks off, which its
 * parent survives.
 */
export function playTasks(assignment: Assignment): Script {
  const {subject, dice} = assignment
  const fails = /\bfail\b/i.test(assignment.text)
  const opening = `I split **${subject}** into tasks that run in parallel, and report when they are through.`
  return {
    turns: [
      settled(think(dice), say(dice, opening)),
      settled(fanOut(planReading(assignment), planChange(assignment, fails))),
      settled(think(dice), say(dice, writeSummary(assignment, fails))),
    ],
    rest: 'idle',
  }
}

function planReading({subject, dice}: Assignment): TaskPlan {
  const result = `Read: ${dice.int(20, 60)} places round a price for ${subject}, ${dice.int(2, 9)} of them twice.`
  return {
    title: 'Read the call sites',
    prompt: `Find every place that rounds a price: ${subject}`,
    turns: [settled(think(dice), ...callTools(dice, 3)), settled(say(dice, result))],
    rest: 'done',
  }
}

function planChange(assignment: Assignment, fails: boolean): TaskPlan {
  const {subject, dice} = assignment
  return {
    title: 'Change the code',
    prompt: `Round once, at the end: ${subject}`,
    turns: [
      settled(think(dice), ...callTools(dice, 1)),
      settled(fanOut(planCart(assignment), planMails(assignment, fails))),
      settled(say(dice, 'Both parts are changed, and the types agree again.')),
    ],
    rest: 'done',
  }
}

function planCart({dice}: Assignment): TaskPlan {
  return {
    title: 'Change the cart',
    prompt: 'Move the rounding of src/cart to one place.',
    turns: [settled(...callTools(dice, 2, 2), say(dice, '`src/cart` rounds **once** now.'))],
    rest: 'done',
  }
}

function planMails(assignment: Assignment, fails: boolean): TaskPlan {
  const {dice} = assignment
  const result = fails
    ? 'The templates are changed, but nobody could look at them: the check broke off.'
    : 'The templates are changed, and look right.'
  return {
    title: 'Change the mail templates',
    prompt: 'Format prices in the mail templates with the new function.',
    turns: [
      settled(...callTools(dice, 1, 3)),
      settled(fanOut(planCheck(assignment, fails))),
      settled(say(dice, result)),
    ],
    rest: 'done',
  }
}

function planCheck({dice}: Assignment, fails: boolean): TaskPlan {
  const last: Turn = fails
    ? {outcome: 'aborted', steps: [draft(dice, 'The first template looks right, the second')]}
    : settled(say(dice, 'All three templates show the same sums as before.'))
  return {
    title: 'Look at the templates',
    prompt: 'Render every mail template and compare the sums.',
    turns: [settled(...callTools(dice, 1, 7)), last],
    rest: fails ? 'failed' : 'done',
  }
}

function writeSummary({subject, dice}: Assignment, fails: boolean): string {
  return `All tasks for **${subject}** have ended.

| Task | Outcome |
| --- | --- |
| 1 Read the call sites | ✅ done |
| 2 Change the code | ✅ done |
| 2.1 Change the cart | ✅ done |
| 2.2 Change the mail templates | ✅ done |
| 2.2.1 Look at the templates | ${fails ? '❌ failed' : '✅ done'} |

${fails ? 'Please look at the mail templates yourself before you merge.' : `Together they changed ${dice.int(4, 12)} files.`}`
}
