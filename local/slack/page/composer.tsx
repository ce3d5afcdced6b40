import {useState, type KeyboardEvent, type RefObject} from 'react'
import {SendIcon} from './icons.tsx'
import {MentionList} from './mention-list.tsx'
import {toSlackText} from './mention.ts'
import {useSession} from './session.ts'
import {useMention} from './use-mention.ts'

/** Where a person writes. The draft belongs to the place, so it is kept by the one who draws this. */
interface ComposerProps {
  label: string
  draft: string
  onDraft: (draft: string) => void
  onSend: (text: string) => Promise<void>
  focus: RefObject<HTMLTextAreaElement | null>
}

export function Composer({label, draft, onDraft, onSend, focus}: ComposerProps) {
  const {workspace} = useSession()
  const [problem, setProblem] = useState<string>()
  const mention = useMention(draft, onDraft, focus)

  const send = (): void => {
    const text = draft.trim()
    if (text === '') return
    const sent = onSend(toSlackText(text, workspace))
    setProblem(undefined)
    onDraft('')
    sent.catch((error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error))
      onDraft(draft) // nothing that was written is lost
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing || mention.take(event.key)) {
      if (!event.nativeEvent.isComposing) event.preventDefault()
      return
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <MentionList
        id={mention.id}
        choices={mention.choices}
        active={mention.active}
        onChoose={mention.choose}
      />
      {problem !== undefined && (
        <p className="problem" role="alert">
          Not sent. {problem} Your text is still here: press Enter to try again.
        </p>
      )}
      <div className="composer-box">
        <textarea
          ref={focus}
          rows={1}
          aria-label={label}
          placeholder={label}
          value={draft}
          autoComplete="off"
          aria-autocomplete="list"
          {...mention.aria}
          onChange={({target}) => {
            onDraft(target.value)
            mention.look(target.value, target.selectionStart)
          }}
          onSelect={({currentTarget}) =>
            mention.look(currentTarget.value, currentTarget.selectionStart)
          }
          onBlur={mention.dismiss}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          className="send"
          aria-label="Send"
          title="Send (Enter)"
          disabled={draft.trim() === ''}
        >
          <SendIcon />
        </button>
      </div>
    </form>
  )
}
