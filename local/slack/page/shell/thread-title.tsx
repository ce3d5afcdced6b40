import {useRef, useState, type KeyboardEvent} from 'react'
import {useAgentThread} from '../live/agent-threads.ts'
import {PencilIcon} from '../kit/icons.tsx'
import {useSession} from '../live/session.ts'

const maxTitle = 200

/** The thread's name: an agent may give it one, and then a person may give it another. */
export function ThreadTitle({channel, threadTs}: {channel: string; threadTs: string}) {
  const thread = useAgentThread(channel, threadTs)
  const [isEdited, setEdited] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const title = thread?.session?.title ?? thread?.title ?? 'Thread'
  if (isEdited) {
    const close = (): void => {
      setEdited(false)
      setTimeout(() => opener.current?.focus())
    }
    return <TitleField channel={channel} threadTs={threadTs} title={title} onClose={close} />
  }
  return (
    <>
      <h2 title={title}>{title}</h2>
      {thread?.session && (
        <button
          ref={opener}
          type="button"
          className="icon-button rename-button"
          aria-label="Rename the thread"
          onClick={() => setEdited(true)}
        >
          <PencilIcon />
        </button>
      )}
    </>
  )
}

function TitleField({
  channel,
  threadTs,
  title,
  onClose,
}: {
  channel: string
  threadTs: string
  title: string
  onClose: () => void
}) {
  const {act} = useSession()
  const [text, setText] = useState(title)
  const [problem, setProblem] = useState<string>()
  const save = (): void => {
    const name = text.trim()
    if (name === '' || name === title) {
      onClose()
      return
    }
    act('renameSession', {channel, threadTs, title: name}).then(onClose, (error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error))
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'Enter') save()
    else onClose()
  }
  return (
    <input
      className="title-field"
      aria-label="Name of the thread"
      aria-invalid={problem !== undefined}
      title={problem}
      value={text}
      maxLength={maxTitle}
      autoFocus
      onFocus={({target}) => target.select()}
      onChange={({target}) => setText(target.value)}
      onKeyDown={onKeyDown}
      onBlur={save}
    />
  )
}
