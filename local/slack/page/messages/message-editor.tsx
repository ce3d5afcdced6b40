import {useEffect, useRef, useState} from 'react'
import type {MessageView} from '../../page-feed/contract.ts'
import {ComposeField} from '../compose/compose-field.tsx'
import {useEditing} from '../live/editing.ts'
import {toSlackText, toTypedText} from '../compose/mention.ts'
import {wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** A message as it is written anew in its place: Enter saves, Escape leaves it as it was. */
export function MessageEditor({message}: {message: MessageView}) {
  const {workspace, act} = useSession()
  const editing = useEditing()
  const field = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(() => toTypedText(message.text, workspace))
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const before = document.activeElement
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  const save = (): void => {
    const {channel, ts} = message
    const text = toSlackText(draft.trim(), workspace)
    if (text === '') setProblem('A message needs words. Delete it from its menu instead.')
    else if (text === message.text) editing.end()
    else {
      act('edit', {channel, ts, text}).then(editing.end, (error: unknown) =>
        setProblem(wordsOf(error)),
      )
    }
  }
  return (
    <div
      className="message-editor"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault() // the thread around it stays
        editing.end()
      }}
    >
      <ComposeField
        label="Edit message"
        draft={draft}
        onDraft={setDraft}
        onEnter={save}
        focus={field}
      />
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="message-editor-actions">
        <button type="button" className="button" onClick={editing.end}>
          Cancel
        </button>
        <button type="button" className="button button-primary" onClick={save}>
          Save
        </button>
      </div>
    </div>
  )
}
