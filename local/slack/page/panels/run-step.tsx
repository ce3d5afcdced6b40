import {useEffect, useId, useState, type SubmitEvent} from 'react'
import type {AppStep, StepParameter} from '../../options.ts'
import type {StepExecution} from '../../workflows/executions.ts'
import {DialogFrame} from '../kit/dialog-frame.tsx'
import {wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

const LOOK_MS = 1000

/** A workflow of this one step, as whoever presses a button in Workflow Builder would run it; then how the step goes on. */
export function RunStep({
  channel,
  step,
  onClose,
}: {
  channel: string
  step: AppStep
  onClose: () => void
}) {
  const {act} = useSession()
  const [inputs, setInputs] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(step.inputs.map(({name, type}) => [name, isChannel(type) ? channel : ''])),
  )
  const [problem, setProblem] = useState<string>()
  const [execution, setExecution] = useState<StepExecution>()
  useEffect(() => {
    if (execution?.state !== 'running') return
    const {id, callbackId} = execution
    const timer = setTimeout(() => {
      act<StepExecution>('lookAtStep', {id, callbackId}).then(setExecution, () =>
        setExecution({...execution}),
      )
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [act, execution])
  const run = (event: SubmitEvent): void => {
    event.preventDefault()
    const filled = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== ''))
    act<StepExecution>('runStep', {callbackId: step.callbackId, inputs: filled}).then(
      setExecution,
      (error: unknown) => setProblem(wordsOf(error)),
    )
  }
  if (execution) {
    return (
      <DialogFrame title={step.title} onClose={onClose}>
        <Standing execution={execution} step={step} />
      </DialogFrame>
    )
  }
  return (
    <DialogFrame title={step.title} onClose={onClose}>
      <p className="muted">{step.description}.</p>
      <form className="panel-form" onSubmit={run}>
        {step.inputs.map((input) => (
          <Input
            key={input.name}
            input={input}
            value={inputs[input.name] ?? ''}
            onValue={(value) => {
              setProblem(undefined)
              setInputs({...inputs, [input.name]: value})
            }}
          />
        ))}
        {problem !== undefined && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <div className="panel-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-primary">
            Run
          </button>
        </div>
      </form>
    </DialogFrame>
  )
}

const isChannel = (type: string): boolean => type.endsWith('/channel_id')
const isPerson = (type: string): boolean => type.endsWith('/user_id')

function Input({
  input: {title, type, isRequired},
  value,
  onValue,
}: {
  input: StepParameter
  value: string
  onValue: (value: string) => void
}) {
  const {workspace} = useSession()
  const id = useId()
  const choices = isChannel(type)
    ? workspace.channels.filter(({kind}) => kind === 'channel').map((one) => [one.id, one.name])
    : isPerson(type)
      ? workspace.members.filter(({isBot}) => !isBot).map((one) => [one.id, one.realName])
      : undefined
  return (
    <>
      <label htmlFor={id}>{isRequired ? title : `${title} (optional)`}</label>
      {choices === undefined ? (
        <textarea
          id={id}
          data-first
          className="field"
          rows={3}
          value={value}
          onChange={({target}) => onValue(target.value)}
        />
      ) : (
        <select
          id={id}
          className="field"
          value={value}
          onChange={({target}) => onValue(target.value)}
        >
          <option value="">None</option>
          {choices.map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

function Standing({execution, step}: {execution: StepExecution; step: AppStep}) {
  if (execution.state === 'running') return <p role="status">The workflow waits for the step…</p>
  if (execution.state === 'failed') {
    return (
      <p className="problem" role="status">
        {execution.error}
      </p>
    )
  }
  return (
    <dl className="results" role="status">
      {step.outputs.map(({name, title}) => (
        <div key={name}>
          <dt className="muted">{title}</dt>
          <dd>{shown(execution.outputs?.[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

function shown(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : '–'
}
