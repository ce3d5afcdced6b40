import {useEffect, useRef} from 'react'
import type {ChannelView, MessageView, WorkspaceView} from '../page-feed/contract.ts'
import {Composer} from './composer.tsx'
import {channelMessages, repliesByRoot} from './conversation.ts'
import {FirstHint} from './first-hint.tsx'
import {MenuIcon} from './icons.tsx'
import {MessageList} from './message-list.tsx'
import {hasApp, memberOf, titleOf} from './membership.ts'
import {useSession} from './session.ts'

/** The channel in the middle: its messages, and where one writes the next. */
export function ChannelPane({
  channel,
  messages,
  draft,
  hasUnreadElsewhere,
  onDraft,
  onMenu,
}: {
  channel: ChannelView
  messages: readonly MessageView[]
  draft: string
  hasUnreadElsewhere: boolean
  onDraft: (draft: string) => void
  onMenu: () => void
}) {
  const {workspace, send} = useSession()
  const composer = useRef<HTMLTextAreaElement>(null)
  const title = titleOf(workspace, channel)
  const roots = channelMessages(messages)
  useEffect(() => {
    // On a touch screen the focus would raise the keyboard over what one came to read.
    if (matchMedia('(hover: hover)').matches) composer.current?.focus()
  }, [channel.id])
  const fill = (example: string): void => {
    onDraft(example)
    composer.current?.focus()
  }
  return (
    <main className="channel">
      <header className="pane-head">
        <button
          type="button"
          className={
            hasUnreadElsewhere ? 'icon-button menu-button has-unread' : 'icon-button menu-button'
          }
          aria-label="Open the channels"
          onClick={onMenu}
        >
          <MenuIcon />
        </button>
        <h1>{title}</h1>
        <span className="pane-note">{noteOf(workspace, channel)}</span>
      </header>
      <section className="pane-body" aria-label={`Messages in ${title}`}>
        <MessageList place={channel.id} messages={roots} threads={repliesByRoot(messages)}>
          {roots.length === 0 && <FirstHint channel={channel} onFill={fill} />}
        </MessageList>
      </section>
      <Composer
        key={channel.id}
        label={`Message ${title}`}
        draft={draft}
        onDraft={onDraft}
        onSend={(text) => send({channel: channel.id, text})}
        focus={composer}
      />
    </main>
  )
}

function noteOf(workspace: WorkspaceView, channel: ChannelView): string {
  if (channel.kind === 'dm') return 'A task, a question: no mention needed'
  const members =
    channel.memberIds.length === 1 ? '1 member' : `${channel.memberIds.length} members`
  if (hasApp(workspace, channel)) return members
  return `${members} · ${memberOf(workspace, workspace.botUserId).realName} is not here`
}
