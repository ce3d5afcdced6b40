import type {Dice} from './dice.ts'

/** One thing the agent does. `tool` and `say` commit an entry; a `draft` never does. */
export type Step =
  | {kind: 'think'; delayMs: number}
  | {kind: 'tool'; name: string; text: string; delayMs: number}
  | {kind: 'say' | 'draft'; fragments: Fragment[]}

export interface Fragment {
  text: string
  delayMs: number
}

/** One model generation. Section 6.2. */
export interface Turn {
  outcome: 'settled' | 'aborted'
  steps: Step[]
}

/** All that the agent does about one message, and how the thread stands after it. */
export interface Script {
  turns: Turn[]
  rest: 'idle' | 'pending_user' | 'ready_for_review' | 'error'
}

/** What a scenario may depend on: nothing but the message and its place in the thread. */
export interface Task {
  /** The task in a few plain words. */
  subject: string
  /** Which message of the thread it is, from 1. */
  ordinal: number
  dice: Dice
}

export function think(dice: Dice): Step {
  return {kind: 'think', delayMs: dice.int(500, 1100)}
}

export function tool(dice: Dice, [name, text]: readonly [name: string, text: string]): Step {
  return {kind: 'tool', name, text, delayMs: dice.int(600, 1500)}
}

export function say(dice: Dice, text: string): Step {
  return {kind: 'say', fragments: cut(dice, text)}
}

export function draft(dice: Dice, text: string): Step {
  return {kind: 'draft', fragments: cut(dice, text)}
}

export function settled(...steps: Step[]): Turn {
  return {outcome: 'settled', steps}
}

/** The text in uneven pieces, never inside a character but without regard for words and marks. */
function cut(dice: Dice, text: string): Fragment[] {
  const characters = Array.from(text)
  const fragments: Fragment[] = []
  for (let start = 0; start < characters.length;) {
    const length = dice.int(0, 4) === 0 ? dice.int(1, 3) : dice.int(6, 26)
    const piece = characters.slice(start, start + length).join('')
    fragments.push({text: piece, delayMs: dice.int(40, 90)})
    start += length
  }
  return fragments
}
