import {useId, useState, type SubmitEvent} from 'react'
import type {ChannelView} from '../../page-feed/contract.ts'
import {DialogFrame} from '../kit/dialog-frame.tsx'
import {toChannelName} from '../kit/jump.ts'
import {appUserOf} from '../live/membership.ts'
import {wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** A new channel with oneself in it, and the app if one wants to talk to it there. */
export function CreateChannel({onClose}: {onClose: () => void}) {
  const {workspace, me, openChannel, act} = useSession()
  const nameId = useId()
  const app = appUserOf(workspace)
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [withApp, setWithApp] = useState(true)
  const [problem, setProblem] = useState<string>()
  const create = (event: SubmitEvent): void => {
    event.preventDefault()
    const memberIds = [me.id, ...(app && withApp ? [app.id] : [])]
    act<ChannelView>('createChannel', {name, memberIds, ...(isPrivate && {isPrivate})}).then(
      ({id}) => {
        onClose()
        openChannel(id)
      },
      (error: unknown) => setProblem(explain(wordsOf(error), name)),
    )
  }
  return (
    <DialogFrame title="Create a channel" onClose={onClose}>
      <form className="panel-form" onSubmit={create}>
        <label htmlFor={nameId}>Name</label>
        <input
          id={nameId}
          data-first
          className="field"
          placeholder="e.g. plan-budget"
          autoComplete="off"
          value={name}
          onChange={({target}) => {
            setProblem(undefined)
            setName(toChannelName(target.value))
          }}
        />
        {problem !== undefined && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <Tick label="Private: only members know of it" isSet={isPrivate} onSet={setPrivate} />
        {app && <Tick label={`Add ${app.realName}`} isSet={withApp} onSet={setWithApp} />}
        <div className="panel-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-primary" disabled={name === ''}>
            Create
          </button>
        </div>
      </form>
    </DialogFrame>
  )
}

function Tick({
  label,
  isSet,
  onSet,
}: {
  label: string
  isSet: boolean
  onSet: (isSet: boolean) => void
}) {
  return (
    <label className="tick">
      <input type="checkbox" checked={isSet} onChange={({target}) => onSet(target.checked)} />
      {label}
    </label>
  )
}

function explain(refusal: string, name: string): string {
  return refusal.includes('name_taken') ? `There is a channel “${name}” already.` : refusal
}
