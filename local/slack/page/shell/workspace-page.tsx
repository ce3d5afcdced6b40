import {useCallback, useEffect, useMemo, useRef, useState} from 'react'
import type {ChannelView, MemberView, MessageView, WorkspaceView} from '../../page-feed/contract.ts'
import {AgentThreadsContext} from '../live/agent-threads.ts'
import {ChannelPane} from './channel-pane.tsx'
import {channelMessages} from '../live/conversation.ts'
import type {Live, LiveState} from '../live/live.ts'
import {channelsOf, inOrder, isForApp, titleOf} from '../live/membership.ts'
import {ModalStack} from '../views/modal-stack.tsx'
import {FirstNewContext} from '../messages/new-line.tsx'
import {PanelHost} from '../panels/panel-host.tsx'
import type {Route} from '../live/route.ts'
import {SessionContext, type Session} from '../live/session.ts'
import {Sidebar} from './sidebar.tsx'
import {ThreadPane} from './thread-pane.tsx'
import {TrafficContext, TrafficPanel} from '../traffic/traffic-panel.tsx'
import {useDrafts} from '../compose/use-drafts.ts'
import {useUnread, type UnreadByChannel} from './use-unread.ts'

interface WorkspacePageProps {
  live: Live
  state: LiveState & {workspace: WorkspaceView}
  me: MemberView
  route: Route
  go: (change: Partial<Route>) => void
}

/** What one member sees: the channels, one of them, and one of its threads. */
export function WorkspacePage({live, state, me, route, go}: WorkspacePageProps) {
  const {workspace} = state
  const channels = channelsOf(workspace, me.id)
  const channel = channels.find(({id}) => id === route.channel) ?? channels[0]
  const messages = channel && state.messages.get(channel.id)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const closeMenu = useCallback(() => setMenuOpen(false), [])
  const drafts = useDrafts()
  const {unread, firstNew, markUnread} = useUnread({
    me: me.id,
    channels,
    current: channel?.id,
    messages: state.messages,
  })
  const {session, takesFocus} = useSessionValue({live, workspace, me, go, setMenuOpen})
  useTitle(workspace, channel, unread, me.id)

  const root = messages && channelMessages(messages).find(({ts}) => ts === route.thread)
  const hasTraffic = route.traffic === true
  const traffic = useMemo(
    () => ({isOpen: hasTraffic, toggle: () => go({traffic: hasTraffic ? undefined : true})}),
    [hasTraffic, go],
  )
  const unreadElsewhere = [...unread.values()].some(({count}) => count > 0)
  return (
    <SessionContext value={session}>
      <TrafficContext value={traffic}>
        <AgentThreadsContext value={state.agentThreads}>
          <PanelHost
            places={inOrder(channels).map(({id}) => id)}
            current={channel?.id}
            onActAs={(as) => go({as, thread: undefined})}
            onMarkUnread={markUnread}
          >
            <div className={pageClass({hasThread: root !== undefined, hasTraffic})}>
              {state.connection === 'lost' && (
                <p className="connection" role="status">
                  The local Slack does not answer. Trying again…
                </p>
              )}
              <Sidebar
                current={channel?.id}
                unread={unread}
                isOpen={isMenuOpen}
                onClose={closeMenu}
              />
              {isMenuOpen && <div className="scrim" onClick={closeMenu} />}
              {channel && messages && (
                <FirstNewContext value={firstNew}>
                  <ChannelPane
                    channel={channel}
                    messages={messages}
                    {...drafts(`${me.id}/${channel.id}`)}
                    hasUnreadElsewhere={unreadElsewhere}
                    homes={state.views.homes}
                    tab={route.tab}
                    onTab={(tab) => go({tab})}
                    onMenu={() => setMenuOpen(true)}
                  />
                </FirstNewContext>
              )}
              {channel && messages && root && (
                <ThreadPane
                  channel={channel}
                  root={root}
                  messages={messages}
                  {...drafts(`${me.id}/${channel.id}/${root.ts}`)}
                  takesFocus={takesFocus}
                  onClose={() => go({thread: undefined})}
                />
              )}
              {hasTraffic && <TrafficPanel team={route.team} />}
              <ModalStack modals={state.views.modals} />
              <Announcer key={channel?.id} messages={messages} me={me.id} workspace={workspace} />
            </div>
          </PanelHost>
        </AgentThreadsContext>
      </TrafficContext>
    </SessionContext>
  )
}

function pageClass({hasThread, hasTraffic}: {hasThread: boolean; hasTraffic: boolean}): string {
  return ['page', hasThread && 'has-thread', hasTraffic && 'has-traffic'].filter(Boolean).join(' ')
}

type Sent = Pick<MessageView, 'channel' | 'ts' | 'text'>

/** What the parts of the page may do, and whether the thread that it opened last takes the caret. */
function useSessionValue({
  live,
  workspace,
  me,
  go,
  setMenuOpen,
}: Pick<WorkspacePageProps, 'live' | 'me' | 'go'> & {
  workspace: WorkspaceView
  setMenuOpen: (isOpen: boolean) => void
}): {session: Session; takesFocus: boolean} {
  const [takesFocus, setTakesFocus] = useState(false)
  const session = useMemo<Session>(() => {
    const openThread = (ts: string): void => {
      setTakesFocus(true)
      go({thread: ts})
    }
    const openChannel = (id: string): void => {
      setMenuOpen(false)
      go({channel: id, thread: undefined, tab: undefined})
    }
    const send: Session['send'] = async (message) => {
      const sent = await live.api.act<Sent>('post', message)
      if (message.threadTs !== undefined || !isForApp(workspace, sent)) return
      setTakesFocus(isNarrow())
      go({channel: sent.channel, thread: sent.ts})
    }
    const press: Session['press'] = async (element) => {
      const outcome = await live.api.act<string>('press', element)
      if (outcome !== 'acked' && outcome !== 'kept')
        throw new Error('The app did not respond. Press again.')
    }
    return {workspace, me, openChannel, openThread, send, press, act: live.api.act}
  }, [workspace, me, live, go, setMenuOpen])
  return {session, takesFocus}
}

function useTitle(
  workspace: WorkspaceView,
  channel: ChannelView | undefined,
  unread: UnreadByChannel,
  me: string,
): void {
  const waiting = [...unread.values()].reduce((total, {mentions}) => total + mentions, 0)
  const place = channel ? `${titleOf(workspace, channel, me)} · ` : ''
  const title = `${waiting > 0 ? `(${waiting}) ` : ''}${place}${workspace.teamName}`
  useEffect(() => {
    document.title = title
  }, [title])
}

/** Tells screen readers that somebody wrote: once per message, not at each of its edits. */
function Announcer({
  messages = [],
  me,
  workspace,
}: {
  messages: readonly MessageView[] | undefined
  me: string
  workspace: WorkspaceView
}) {
  const newest = messages.findLast(({userId}) => userId !== me)
  const first = useRef(newest?.ts)
  const author = workspace.members.find(({id}) => id === newest?.userId)?.realName
  const isNew = newest !== undefined && newest.ts !== first.current
  return (
    <p className="only-heard" role="status">
      {isNew && <span key={newest.ts}>New message from {author ?? newest.userId}</span>}
    </p>
  )
}

function isNarrow(): boolean {
  return matchMedia('(max-width: 760px)').matches
}
