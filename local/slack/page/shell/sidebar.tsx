import {memo, type ReactNode} from 'react'
import type {ChannelView} from '../../page-feed/contract.ts'
import {ActAs} from './act-as.tsx'
import {ChannelLink} from './channel-link.tsx'
import {CloseIcon, PlusIcon, SearchIcon} from '../kit/icons.tsx'
import {channelsOf, inOrder} from '../live/membership.ts'
import {usePanels} from '../live/panel.ts'
import {useSession} from '../live/session.ts'
import type {UnreadByChannel} from './use-unread.ts'
import {WorkspaceSwitcher} from './workspace-switcher.tsx'

/** The workspace's name, its channels, and who one is. Streams in a channel change none of it. */
export const Sidebar = memo(function Sidebar({
  current,
  unread,
  isOpen,
  onClose,
}: {
  current: string | undefined
  unread: UnreadByChannel
  isOpen: boolean
  onClose: () => void
}) {
  const {workspace, me} = useSession()
  const {show} = usePanels()
  const channels = inOrder(channelsOf(workspace, me.id))
  const links = (belongs: (channel: ChannelView) => boolean): ReactNode =>
    channels.filter(belongs).map((channel) => (
      <li key={channel.id}>
        <ChannelLink
          channel={channel}
          isCurrent={channel.id === current}
          unread={unread.get(channel.id)}
        />
      </li>
    ))
  return (
    <div className={isOpen ? 'sidebar is-open' : 'sidebar'}>
      <div className="sidebar-head">
        <strong className="workspace">{workspace.teamName}</strong>
        <button
          type="button"
          className="sidebar-close"
          aria-label="Close the channels"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
      <WorkspaceSwitcher />
      <nav aria-label="Channels">
        <button type="button" className="jump-button" onClick={() => show({kind: 'jump'})}>
          <SearchIcon /> Jump to… <kbd>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <section className="sidebar-group">
          <h2>Channels</h2>
          <ul>{links(({kind}) => kind === 'channel')}</ul>
          <button type="button" className="channel-link" onClick={() => show({kind: 'browse'})}>
            <span className="hash">
              <PlusIcon />
            </span>
            Browse channels
          </button>
        </section>
        <section className="sidebar-group">
          <h2>Direct messages</h2>
          <ul>{links(({kind}) => kind !== 'channel')}</ul>
        </section>
      </nav>
      <ActAs />
    </div>
  )
})

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
