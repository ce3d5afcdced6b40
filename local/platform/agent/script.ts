import type {StreamErrorCode, TurnOutcome} from '../streams/frames.ts'
import type {EntryDraft} from '../threads/entries.ts'
import type {ThreadState} from '../threads/vocabulary.ts'
import type {Dice} from './dice.ts'

/**
 * One thing the agent does. `tool`, `say` and `tasks` show themselves live and commit an entry; a `draft`
 * never does.
 */
export type Step =
  | {kind: 'think'; delayMs: number}
  | {kind: 'tool'; name: string; text: string; delayMs: number}
  | {kind: 'say'; fragments: Fragment[]; images?: readonly Image[]}
  | {kind: 'draft'; fragments: Fragment[]}
  /** Begins these tasks, and waits for them and for all that were stopped before. */
  | {kind: 'tasks'; text: string; tasks: TaskPlan[]}
  /** Its machine gets what a person attached. */
  | {kind: 'fetch'; file: Attached}
  /** Its machine shows something where people read, past the transcript. */
  | {kind: 'post'; post: MachinePost}
  | BareStep

/** What a given script may do besides: frame by frame, without regard for the rules of section 6.3. */
type BareStep =
  | {kind: 'fragment'; callId: string; text: string}
  | {kind: 'entry'; entry: Omit<EntryDraft, 'id'> & {id?: string | undefined}}
  | {kind: 'frame'; frame: string}
  | {kind: 'close'}
  | {kind: 'error'; code: StreamErrorCode; message: string}
  | {kind: 'state'; state: ThreadState}

export interface Fragment {
  text: string
  delayMs: number
}

/** An image that the agent made; it becomes an attachment. Section 2.6. */
export interface Image {
  name: string
  mimeType: string
  /** In bytes. */
  size: number
}

/** A file that a message names, and where it is fetched. */
export interface Attached {
  name: string
  url: string
}

/** What `POST /agent/posts` of a bot takes: docs/agent-posts.md. */
export interface MachinePost {
  text: string
  /** Answers that people can press. */
  options?: readonly string[]
  several?: boolean
  /** Names of files in `pictures/`. */
  pictures?: readonly string[]
}

/** One model generation (section 6.2); without an outcome, steps that belong to none. */
export interface Turn {
  outcome: TurnOutcome | null
  steps: Step[]
  /** What it costs besides its words, tools and images. */
  credits?: number
}

/** All that a task subagent does. */
export interface TaskPlan {
  title: string
  /** What its parent tells it. */
  prompt: string
  turns: Turn[]
  rest: 'done' | 'failed'
}

/** All that the agent does about one message, and how the thread stands after it. */
export interface Script {
  turns: Turn[]
  rest: ThreadState
  /** What it does by itself after a rest. */
  wake?: {afterMs: number; script: Script}
}

/** What a scenario may depend on: nothing but the messages of the thread, and what its machine reaches. */
export interface Assignment {
  text: string
  /** The task in a few plain words. */
  subject: string
  /** Which message of the thread it is, from 1. */
  ordinal: number
  dice: Dice
  /** What people attached, where its machine can fetch that. */
  attached: readonly Attached[]
  /** Its machine can post where people read. */
  canPost: boolean
  /** The address of the pull request that comes of the work of this thread. */
  openPullRequest: (title: string) => string
  /** Pushes a fix to the pull request of this address. */
  fixPullRequest: (address: string) => void
}

export function think(dice: Dice): Step {
  return {kind: 'think', delayMs: dice.int(500, 1100)}
}

export function tool(dice: Dice, [name, text]: readonly [name: string, text: string]): Step {
  return {kind: 'tool', name, text, delayMs: dice.int(600, 1500)}
}

export function say(dice: Dice, text: string, images: readonly Image[] = []): Step {
  return {kind: 'say', fragments: cut(dice, text), images}
}

export function draft(dice: Dice, text: string): Step {
  return {kind: 'draft', fragments: cut(dice, text)}
}

/** Fans out to tasks. */
export function fanOut(...tasks: TaskPlan[]): Step {
  const titles = tasks.map(({title}) => `“${title}”`).join(', ')
  return {kind: 'tasks', text: `Ran ${tasks.length} tasks in parallel: ${titles}`, tasks}
}

/** Goes on with the tasks that were stopped. */
export function resume(stopped: number): Turn {
  const text = `Resumed ${stopped} stopped ${stopped === 1 ? 'task' : 'tasks'}`
  return settled({kind: 'tasks', text, tasks: []})
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
