import {createId} from '../id.ts'
import type {LiveEvent} from '../streams/frames.ts'
import type {EntryDraft} from '../threads/entries.ts'
import type {ThreadState} from '../threads/vocabulary.ts'
import type {Fragment, Image, Step, TaskPlan, Turn} from './script.ts'

/** What a turn needs of the world. */
export interface Stage {
  /** Waits; `false` when the run was stopped meanwhile, after which nothing may be done any more. */
  wait(delayMs: number): Promise<boolean>
  publish(event: LiveEvent): void
  /** Commits the entry of a step, together with the progress of the run. */
  commit(step: number, draft: EntryDraft): void
  /** Begins the tasks of a step, and waits for them; `false` as above. */
  fanOut(step: number, tasks: readonly TaskPlan[]): Promise<boolean>
  /** Has the machine do the step: what came of it, in words; `undefined`: stopped, as above. */
  reach(step: number, what: MachineStep): Promise<string | undefined>
  setState(state: ThreadState): void
  /** Commits the end of the turn. */
  complete(): void
  modelId: string
}

/**
 * Plays one turn. Steps below `fromStep` have committed before the process died: they are not repeated, the rest of
 * the turn starts over under new call ids. Answers `false` when the run was stopped.
 */
export async function playTurn(turn: Turn, fromStep: number, stage: Stage): Promise<boolean> {
  const {outcome, steps} = turn
  if (outcome !== null) stage.publish({kind: 'turn', phase: 'start'})
  for (const [index, step] of steps.entries()) {
    if (index >= fromStep && !(await playStep(step, index, stage))) return false
  }
  stage.complete()
  if (outcome !== null) stage.publish({kind: 'turn', phase: 'end', outcome})
  return true
}

type StepOf<Kind extends Step['kind']> = Extract<Step, {kind: Kind}>

/** What the agent's machine does over the network. */
type MachineStep = StepOf<'fetch' | 'post'>

async function playStep(step: Step, index: number, stage: Stage): Promise<boolean> {
  switch (step.kind) {
    case 'think':
      return stage.wait(step.delayMs)
    case 'tool':
      return callTool(step, index, stage)
    case 'say':
      return say(step, index, stage)
    case 'draft':
      return write(step.fragments, createId('call'), stage)
    case 'tasks':
      return runTasks(step, index, stage)
    case 'fetch':
    case 'post':
      return reach(step, index, stage)
    case 'entry':
      stage.commit(index, {...step.entry, id: step.entry.id ?? createId('entry')})
      return true
    case 'state':
      stage.setState(step.state)
      return true
    case 'fragment':
      stage.publish({kind: 'assistant', callId: step.callId, text: step.text})
      return true
    case 'frame':
      stage.publish({kind: 'raw', frame: step.frame})
      return true
    case 'close':
      stage.publish({kind: 'cut'})
      return true
    case 'error':
      stage.publish(step)
      return true
  }
}

async function callTool(
  {name, text, delayMs}: StepOf<'tool'>,
  index: number,
  stage: Stage,
): Promise<boolean> {
  const callId = createId('call')
  stage.publish({kind: 'toolCall', callId, name, text})
  if (!(await stage.wait(delayMs))) return false
  stage.commit(index, {id: callId, source: 'tool', text, tool: name})
  return true
}

async function say(
  {fragments, images = []}: StepOf<'say'>,
  index: number,
  stage: Stage,
): Promise<boolean> {
  const callId = createId('call')
  if (!(await write(fragments, callId, stage))) return false
  stage.commit(index, {
    id: createId('entry'),
    source: 'assistant',
    text: fragments.map(({text}) => text).join(''),
    callId,
    model: stage.modelId,
    attachments: images.map(toAttachment),
  })
  return true
}

async function runTasks(
  {text, tasks}: StepOf<'tasks'>,
  index: number,
  stage: Stage,
): Promise<boolean> {
  const callId = createId('call')
  const name = 'run_tasks'
  stage.publish({kind: 'toolCall', callId, name, text})
  if (!(await stage.fanOut(index, tasks))) return false
  stage.commit(index, {id: callId, source: 'tool', text, tool: name})
  return true
}

async function reach(step: MachineStep, index: number, stage: Stage): Promise<boolean> {
  const callId = createId('call')
  const [name, doing] =
    step.kind === 'fetch'
      ? ['fetch_file', `Fetched ${step.file.name}`]
      : ['post', 'Posted to the conversation']
  stage.publish({kind: 'toolCall', callId, name, text: doing})
  const text = await stage.reach(index, step)
  if (text === undefined) return false
  stage.commit(index, {id: callId, source: 'tool', text, tool: name})
  return true
}

async function write(
  fragments: readonly Fragment[],
  callId: string,
  stage: Stage,
): Promise<boolean> {
  for (const {text, delayMs} of fragments) {
    if (!(await stage.wait(delayMs))) return false
    stage.publish({kind: 'assistant', callId, text})
  }
  return true
}

/** Section 2.6 leaves the shape of attachments open. */
function toAttachment({name, mimeType, size}: Image): Record<string, unknown> {
  const id = createId('file')
  return {id, name, mimeType, size, url: `https://files.example.com/${id}/${name}`}
}
