import type {ThreadEvent} from '../streams/frames.ts'
import {createId} from '../id.ts'
import type {EntryDraft} from '../threads/entries.ts'
import type {Fragment, Turn} from './script.ts'

/** What a turn needs of the world. */
export interface Stage {
  /** Waits; `false` when the run was stopped meanwhile, after which nothing may be done any more. */
  wait(delayMs: number): Promise<boolean>
  publish(event: ThreadEvent): void
  /** Commits the entry of a step, together with the progress of the run. */
  commit(step: number, draft: EntryDraft): void
  /** Commits the end of the turn. */
  complete(): void
  modelId: string
}

/**
 * Plays one turn. Steps below `fromStep` have committed before the process died: they are not repeated, the rest of
 * the turn starts over under new call ids. Answers `false` when the run was stopped.
 */
export async function playTurn(turn: Turn, fromStep: number, stage: Stage): Promise<boolean> {
  stage.publish({kind: 'turn', phase: 'start'})
  for (const [index, step] of turn.steps.entries()) {
    if (index < fromStep) continue
    switch (step.kind) {
      case 'think':
        if (!(await stage.wait(step.delayMs))) return false
        break
      case 'tool': {
        const {name, text, delayMs} = step
        const callId = createId('call')
        stage.publish({kind: 'toolCall', callId, name, text})
        if (!(await stage.wait(delayMs))) return false
        stage.commit(index, {id: callId, source: 'tool', text, tool: name})
        break
      }
      case 'say': {
        const callId = createId('call')
        if (!(await write(step.fragments, callId, stage))) return false
        const text = step.fragments.map((fragment) => fragment.text).join('')
        const {modelId: model} = stage
        const id = createId('entry')
        stage.commit(index, {id, source: 'assistant', text, callId, model, attachments: []})
        break
      }
      case 'draft':
        if (!(await write(step.fragments, createId('call'), stage))) return false
        break
    }
  }
  stage.complete()
  stage.publish({kind: 'turn', phase: 'end', outcome: turn.outcome})
  return true
}

async function write(fragments: Fragment[], callId: string, stage: Stage): Promise<boolean> {
  for (const {text, delayMs} of fragments) {
    if (!(await stage.wait(delayMs))) return false
    stage.publish({kind: 'assistant', callId, text})
  }
  return true
}
