import {useEffect, useRef} from 'react'
import type {ChannelView, MessageView} from '../../page-feed/contract.ts'
import {AgentFoot} from './agent-foot.tsx'
import {useAgentThread} from '../live/agent-threads.ts'
import {Composer} from '../compose/composer.tsx'
import {lastOwn, repliesTo} from '../live/conversation.ts'
import {DropHint} from '../compose/drop-hint.tsx'
import {useEditing} from '../live/editing.ts'
import {CloseIcon} from '../kit/icons.tsx'
import {MessageList} from '../messages/message-list.tsx'
import {isForApp, memberOf, titleOf} from '../live/membership.ts'
import {useSession} from '../live/session.ts'
import {ThreadTitle} from './thread-title.tsx'
import type {Draft} from '../compose/use-drafts.ts'
import {useFileDrop} from '../compose/use-file-drop.ts'

/** One message and what was answered to it, beside the channel. */
export function ThreadPane({
  channel,
  root,
  messages,
  takesFocus,
  onClose,
  ...draft
}: Draft & {
  channel: ChannelView
  root: MessageView
  messages: readonly MessageView[]
  /** Whether a person opened it to write: a thread that opens by itself leaves the caret alone. */
  takesFocus: boolean
  onClose: () => void
}) {
  const {workspace, me} = useSession()
  const editing = useEditing()
  const composer = useRef<HTMLTextAreaElement>(null)
  const replies = repliesTo(messages, root.ts)
  // What only this person sees may have been said in the channel instead.
  const isAnswered = messages.some(({ephemeralTo, ts}) => ephemeralTo === me.id && ts > root.ts)
  const hasStatus = useAgentThread(channel.id, root.ts) !== undefined
  useEffect(() => {
    if (takesFocus) composer.current?.focus()
  }, [takesFocus, root.ts])
  const {isOver, drop} = useFileDrop((files) => draft.onFiles([...draft.files, ...files]))
  return (
    <aside
      className="thread"
      {...drop}
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <header className="pane-head">
        <ThreadTitle key={root.ts} channel={channel.id} threadTs={root.ts} />
        <span className="pane-note">{titleOf(workspace, channel, me.id)}</span>
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
        {replies.length === 0 && !hasStatus && !isAnswered && isForApp(workspace, root) && (
          <p className="thread-hint">
            <span className="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {memberOf(workspace, workspace.botUserId).realName} answers here
          </p>
        )}
        <AgentFoot channel={channel.id} threadTs={root.ts} />
      </MessageList>
      <Composer
        key={root.ts}
        label="Reply in thread"
        place={{channel, threadTs: root.ts}}
        {...draft}
        onEditLast={() => editing.start(lastOwn([root, ...replies], me.id)?.ts)}
        focus={composer}
      />
      {isOver && <DropHint title="this thread" />}
    </aside>
  )
}
