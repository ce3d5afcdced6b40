import {useEffect, useRef} from 'react'
import type {ChannelView, MessageView} from '../../page-feed/contract.ts'
import {AgentFoot} from './agent-foot.tsx'
import {AppHome} from '../views/app-home.tsx'
import {AppTabs, type AppTab} from './app-tabs.tsx'
import {ChannelHeading} from './channel-heading.tsx'
import {CodeTabs, CodeViewPane, ContextBar, useCodeTab} from './code-channel.tsx'
import {Composer} from '../compose/composer.tsx'
import {channelMessages, lastOwn, repliesByRoot} from '../live/conversation.ts'
import {DropHint} from '../compose/drop-hint.tsx'
import {useEditing} from '../live/editing.ts'
import {FirstHint} from './first-hint.tsx'
import {MenuIcon} from '../kit/icons.tsx'
import {MessageList} from '../messages/message-list.tsx'
import {homeAppOf, titleOf} from '../live/membership.ts'
import {useSession} from '../live/session.ts'
import {TrafficToggle} from '../traffic/traffic-panel.tsx'
import type {ShownView} from '../../views/views.ts'
import type {Draft} from '../compose/use-drafts.ts'
import {useFileDrop} from '../compose/use-file-drop.ts'

/** The channel in the middle: its messages, and where one writes the next. */
export function ChannelPane({
  channel,
  messages,
  hasUnreadElsewhere,
  homes,
  tab = 'messages',
  onTab,
  onMenu,
  ...draft
}: Draft & {
  channel: ChannelView
  messages: readonly MessageView[]
  hasUnreadElsewhere: boolean
  homes: readonly ShownView[]
  tab: AppTab | undefined
  onTab: (tab: AppTab) => void
  onMenu: () => void
}) {
  const {workspace, me} = useSession()
  const editing = useEditing()
  const composer = useRef<HTMLTextAreaElement>(null)
  const title = titleOf(workspace, channel, me.id)
  const app = homeAppOf(workspace, channel)
  const roots = channelMessages(messages)
  const last = roots.at(-1)
  useEffect(() => {
    // On a touch screen the focus would raise the keyboard over what one came to read.
    if (matchMedia('(hover: hover)').matches) composer.current?.focus()
  }, [channel.id])
  const fill = (example: string): void => {
    draft.onDraft(example)
    composer.current?.focus()
  }
  const {isOver, drop} = useFileDrop((files) => draft.onFiles([...draft.files, ...files]))
  const canWrite = channel.isArchived !== true
  const {view, choose} = useCodeTab(channel)
  return (
    <main className="channel" {...(canWrite && drop)}>
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
        <ChannelHeading channel={channel} />
        <TrafficToggle />
      </header>
      {channel.code && <ContextBar channel={channel.id} code={channel.code} />}
      {channel.code && <CodeTabs code={channel.code} current={view} onChoose={choose} />}
      {app && <AppTabs appId={app.id} current={tab} onTab={onTab} />}
      {app && tab === 'home' ? (
        <AppHome app={app} homes={homes} />
      ) : view ? (
        <CodeViewPane view={view} />
      ) : (
        <>
          <section className="pane-body" aria-label={`Messages in ${title}`}>
            <MessageList place={channel.id} messages={roots} threads={repliesByRoot(messages)}>
              {roots.length === 0 && <FirstHint channel={channel} onFill={fill} />}
              {last && channel.kind === 'dm' && (
                <AgentFoot channel={channel.id} threadTs={last.ts} />
              )}
            </MessageList>
          </section>
          {canWrite ? (
            <Composer
              key={channel.id}
              label={`Message ${title}`}
              place={{channel}}
              {...draft}
              onEditLast={() => editing.start(lastOwn(roots, me.id)?.ts)}
              focus={composer}
            />
          ) : (
            <p className="composer-closed">This channel is archived. Nobody can write here.</p>
          )}
          {isOver && <DropHint title={title} />}
        </>
      )}
    </main>
  )
}
