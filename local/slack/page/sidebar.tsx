import type {MouseEvent} from 'react'
import type {ChannelView} from '../page-feed/contract.ts'
import {Avatar} from './avatar.tsx'
import {CloseIcon} from './icons.tsx'
import {addressOf} from './route.ts'
import {channelsOf, titleOf} from './membership.ts'
import {useSession} from './session.ts'
import type {Unread, UnreadByChannel} from './use-unread.ts'

/** The workspace's name, its channels, and who one is. */
export function Sidebar({
  current,
  unread,
  isOpen,
  onClose,
  onActAs,
}: {
  current: string | undefined
  unread: UnreadByChannel
  isOpen: boolean
  onClose: () => void
  onActAs: (member: string) => void
}) {
  const {workspace, me} = useSession()
  const group = (kind: ChannelView['kind'], title: string) => (
    <section className="sidebar-group">
      <h2>{title}</h2>
      <ul>
        {channelsOf(workspace, me.id)
          .filter((channel) => channel.kind === kind)
          .map((channel) => (
            <li key={channel.id}>
              <ChannelLink
                channel={channel}
                isCurrent={channel.id === current}
                unread={unread.get(channel.id)}
              />
            </li>
          ))}
      </ul>
    </section>
  )
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
      <nav aria-label="Channels">
        {group('channel', 'Channels')}
        {group('dm', 'Direct messages')}
      </nav>
      <ActAs onActAs={onActAs} />
    </div>
  )
}

function ChannelLink({
  channel,
  isCurrent,
  unread = {count: 0, mentions: 0},
}: {
  channel: ChannelView
  isCurrent: boolean
  unread: Unread | undefined
}) {
  const {workspace, me, openChannel} = useSession()
  const title = titleOf(workspace, channel)
  const other = workspace.members.find((member) => member.name === channel.name)
  const onClick = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return // a tab or window of its own
    event.preventDefault()
    openChannel(channel.id)
  }
  return (
    <a
      className={unread.count > 0 ? 'channel-link is-unread' : 'channel-link'}
      href={addressOf({as: me.id, channel: channel.id, thread: undefined})}
      aria-label={title}
      aria-current={isCurrent ? 'page' : undefined}
      aria-description={unread.count > 0 ? `${unread.count} unread` : undefined}
      onClick={onClick}
    >
      {channel.kind === 'dm' && other ? (
        <Avatar member={other} size="small" />
      ) : (
        <span className="hash">#</span>
      )}
      <span className="channel-name">{title.replace(/^#/, '')}</span>
      {unread.mentions > 0 && <span className="unread-badge">{unread.mentions}</span>}
    </a>
  )
}

function ActAs({onActAs}: {onActAs: (member: string) => void}) {
  const {workspace, me} = useSession()
  return (
    <label className="act-as">
      <Avatar member={me} size="large" />
      <span className="act-as-text">
        <span className="act-as-label">Act as</span>
        <select aria-label="Act as" value={me.id} onChange={({target}) => onActAs(target.value)}>
          {workspace.members
            .filter((member) => !member.isBot)
            .map((member) => (
              <option key={member.id} value={member.id}>
                {member.realName}
              </option>
            ))}
        </select>
      </span>
    </label>
  )
}
