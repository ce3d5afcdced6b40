import type {Tell} from '../delivery/events.ts'
import type {Timestamps} from '../messages/timestamps.ts'
import {newId} from '../new-id.ts'
import type {AppOptions, AppStep, StepParameter} from '../options.ts'
import {requireMember} from '../people/require.ts'
import type {Workspace} from '../workspace/workspace.ts'
import type {StepExecution, StepExecutions} from './executions.ts'

/** What members do with the steps that an app lends to Workflow Builder. */
export interface StepPeople {
  /**
   * Runs a workflow that has this step alone, filled in with these inputs: https://docs.slack.dev/workflows/workflow-steps.
   * Throws where an input is missing that the step needs.
   */
  runStep(run: {
    as: string
    callbackId: string
    inputs: Readonly<Record<string, unknown>>
  }): Promise<StepExecution>
  /** How it stands now. */
  lookAtStep(execution: {id: string; callbackId: string}): Promise<StepExecution>
}

interface StepPeopleParts {
  workspace: Workspace
  stepExecutions: StepExecutions
  steps: AppOptions['steps']
  tell: Tell
  timestamps: Timestamps
}

export function createStepPeople(parts: StepPeopleParts): StepPeople {
  const {workspace, stepExecutions, steps, tell, timestamps} = parts
  return {
    runStep: async ({as, callbackId, inputs}) => {
      const {id: userId} = requireMember(workspace, as)
      const step = steps?.find((one) => one.callbackId === callbackId)
      const missing = (step?.inputs ?? []).filter(
        ({name, isRequired}) => isRequired && isEmpty(inputs[name]),
      )
      if (missing.length > 0) {
        throw new Error(`${callbackId} needs ${missing.map(({title}) => title).join(', ')}.`)
      }
      const execution = {id: newId('Fx'), callbackId, userId, inputs, state: 'running'} as const
      stepExecutions.save(execution)
      tell({
        type: 'function_executed',
        function: toFunction(workspace.app.id, callbackId, step),
        inputs,
        function_execution_id: execution.id,
        workflow_execution_id: newId('Wx'),
        // It lets an app act as if it were the workflow, until the step is over.
        bot_access_token: `xwfp-${newId('')}`,
        event_ts: timestamps.next(),
      })
      return execution
    },
    lookAtStep: async ({id}) => {
      const execution = stepExecutions.find(id)
      if (execution === undefined) throw new Error(`No step ${id} was run.`)
      return execution
    },
  }
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** https://docs.slack.dev/reference/events/function_executed */
function toFunction(appId: string, callbackId: string, step: AppStep | undefined) {
  const parameters = (of: readonly StepParameter[] = []) =>
    of.map(({name, type, title, isRequired}) => ({type, name, title, is_required: isRequired}))
  return {
    id: `Fn${callbackId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`,
    callback_id: callbackId,
    title: step?.title ?? callbackId,
    type: 'app',
    input_parameters: parameters(step?.inputs),
    output_parameters: parameters(step?.outputs),
    app_id: appId,
  }
}
