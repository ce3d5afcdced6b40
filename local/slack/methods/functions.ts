import {isRecord, parseJson, type Arguments} from '../edge/arguments.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import type {StepExecution} from '../workflows/executions.ts'
import {type Answer, type Desk, type Method, tier3} from './method.ts'

export const functionsMethods: Record<string, Method> = {
  'functions.completeError': {token: 'bot', rate: tier3, handle: completeError},
  'functions.completeSuccess': {token: 'bot', rate: tier3, handle: completeSuccess},
}

/** https://docs.slack.dev/reference/methods/functions.completeError */
function completeError(desk: Desk, args: Arguments): Answer {
  const error = args.required('error')
  const execution = findRunning(desk, args)
  desk.stepExecutions.save({...execution, state: 'failed', error})
  return {}
}

/** https://docs.slack.dev/reference/methods/functions.completeSuccess: with what the step declares, and nothing else. */
function completeSuccess(desk: Desk, args: Arguments): Answer {
  const given = args.values['outputs']
  const outputs: unknown = typeof given === 'string' ? parseJson(given) : given
  if (!isRecord(outputs)) throw new Refusal('invalid_arguments')
  const execution = findRunning(desk, args)
  const declared = desk.steps?.find(({callbackId}) => callbackId === execution.callbackId)
  if (declared !== undefined) {
    const problems = declared.outputs.flatMap(({name, type, isRequired}) => {
      if (outputs[name] === undefined) return isRequired ? [`missing required output: ${name}`] : []
      return type === 'string' && typeof outputs[name] !== 'string' ? [`${name} is no string`] : []
    })
    const names = declared.outputs.map(({name}) => name)
    const unknown = Object.keys(outputs).filter((name) => !names.includes(name))
    problems.push(...unknown.map((name) => `unknown output: ${name}`))
    if (problems.length > 0) throw new Refusal('parameter_validation_failed', pointers(problems))
  }
  desk.stepExecutions.save({...execution, state: 'completed', outputs})
  return {}
}

function findRunning({stepExecutions}: Desk, args: Arguments): StepExecution {
  const execution = stepExecutions.find(args.required('function_execution_id'))
  if (execution === undefined) throw new Refusal('function_execution_not_found')
  if (execution.state !== 'running') throw new Refusal('execution_not_in_running_state')
  return execution
}
