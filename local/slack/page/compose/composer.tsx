import {useRef, type ClipboardEvent, type RefObject} from 'react'
import {filesIn} from '../live/attachment.ts'
import {AttachmentList} from './attachment-list.tsx'
import {ComposeField} from './compose-field.tsx'
import {ComposerMenu} from './composer-menu.tsx'
import {ClipIcon, CloseIcon, EyeIcon, SendIcon} from '../kit/icons.tsx'
import type {Draft} from './use-drafts.ts'
import {useSending, type Place} from './use-sending.ts'

/** Where a person writes. The draft belongs to the place, so it is kept by the one who draws this. */
interface ComposerProps extends Draft {
  label: string
  place: Place
  /** Up in an empty field. */
  onEditLast: () => void
  focus: RefObject<HTMLTextAreaElement | null>
}

export function Composer({label, place, onEditLast, focus, ...draft}: ComposerProps) {
  const {send, attach, problem, dismiss} = useSending(place, draft)
  const isEmpty = draft.draft.trim() === '' && draft.files.length === 0
  const paste = (event: ClipboardEvent): void => {
    const files = filesIn(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    attach(files)
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {problem !== undefined && <Notice words={problem} onDismiss={dismiss} />}
      <div className="composer-box">
        <AttachmentList files={draft.files} onFiles={draft.onFiles} />
        <div className="composer-line">
          <ComposerMenu />
          <ComposeField
            label={label}
            draft={draft.draft}
            onDraft={draft.onDraft}
            onEnter={send}
            onEditLast={onEditLast}
            onPaste={paste}
            focus={focus}
            channel={place.channel}
          />
          <FileButton onFiles={attach} />
          <button
            type="submit"
            className="send"
            aria-label="Send"
            title="Send (Enter)"
            disabled={isEmpty}
          >
            <SendIcon />
          </button>
        </div>
      </div>
    </form>
  )
}

/** As Slackbot says it: here, and to this person alone. */
function Notice({words, onDismiss}: {words: string; onDismiss: () => void}) {
  return (
    <div className="composer-notice">
      <EyeIcon />
      <p role="alert">{words}</p>
      <button type="button" aria-label="Dismiss" onClick={onDismiss}>
        <CloseIcon />
      </button>
    </div>
  )
}

function FileButton({onFiles}: {onFiles: (files: File[]) => void}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="composer-button"
        aria-label="Attach files"
        title="Attach files"
        onClick={() => input.current?.click()}
      >
        <ClipIcon />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({target}) => {
          onFiles([...(target.files ?? [])])
          target.value = '' // the same file can be chosen again
        }}
      />
    </>
  )
}
