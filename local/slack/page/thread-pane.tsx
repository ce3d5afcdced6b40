import {useEffect, useRef} from 'react'
import type {ChannelView, MessageView} from '../page-feed/contract.ts'
import {Composer} from './composer.tsx'
import {repliesTo} from './conversation.ts'
import {CloseIcon} from './icons.tsx'
import {MessageList} from './message-list.tsx'
import {isForApp, memberOf, titleOf} from './membership.ts'
import {useSession} from './session.ts'

/** One message and what was answered to it, beside the channel. */
export function ThreadPane({
  channel,
  root,
  messages,
  draft,
  takesFocus,
  onDraft,
  onClose,
}: {
  channel: ChannelView
  root: MessageView
  messages: readonly MessageView[]
  draft: string
  /** Whether a person opened it to write: a thread that opens by itself leaves the caret alone. */
  takesFocus: boolean
  onDraft: (draft: string) => void
  onClose: () => void
}) {
  const {workspace, send} = useSession()
  const composer = useRef<HTMLTextAreaElement>(null)
  const replies = repliesTo(messages, root.ts)
  useEffect(() => {
    if (takesFocus) composer.current?.focus()
  }, [takesFocus, root.ts])
  return (
    <aside
      className="thread"
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <header className="pane-head">
        <h2>Thread</h2>
        <span className="pane-note">{titleOf(workspace, channel)}</span>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the thread"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </header>
      <MessageList place={root.ts} messages={[root, ...replies]}>
        {replies.length === 0 && isForApp(workspace, root) && (
          <p className="thread-hint">
            <span className="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {memberOf(workspace, workspace.botUserId).realName} answers here
          </p>
        )}
      </MessageList>
      <Composer
        key={root.ts}
        label="Reply in thread"
        draft={draft}
        onDraft={onDraft}
        onSend={(text) => send({channel: channel.id, threadTs: root.ts, text})}
        focus={composer}
      />
    </aside>
  )
}
