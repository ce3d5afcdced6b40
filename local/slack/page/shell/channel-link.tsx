import type {MouseEvent} from 'react'
import type {ChannelView} from '../../page-feed/contract.ts'
import {ChannelMark, remarksOn} from '../kit/channel-mark.tsx'
import {titleOf} from '../live/membership.ts'
import {addressOf} from '../live/route.ts'
import {useSession} from '../live/session.ts'
import type {Unread} from './use-unread.ts'

/** One conversation in the sidebar; what is unread in it is bold, what is meant for one is counted. */
export function ChannelLink({
  channel,
  isCurrent,
  unread = {count: 0, mentions: 0},
}: {
  channel: ChannelView
  isCurrent: boolean
  unread: Unread | undefined
}) {
  const {workspace, me, openChannel} = useSession()
  const title = titleOf(workspace, channel, me.id)
  const team = workspace.teams.length > 1 ? workspace.teamId : undefined
  const about = [...remarksOn(channel), ...(unread.count > 0 ? [`${unread.count} unread`] : [])]
  const onClick = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return // a tab or window of its own
    event.preventDefault()
    openChannel(channel.id)
  }
  const className = [
    'channel-link',
    unread.count > 0 && 'is-unread',
    channel.isArchived === true && 'is-archived',
  ]
  return (
    <a
      className={className.filter(Boolean).join(' ')}
      href={addressOf({...(team !== undefined && {team}), as: me.id, channel: channel.id})}
      aria-label={title}
      aria-current={isCurrent ? 'page' : undefined}
      aria-description={about.length > 0 ? about.join(', ') : undefined}
      title={about.length > 0 ? `${title}: ${about.join(', ')}` : undefined}
      onClick={onClick}
    >
      <ChannelMark channel={channel} />
      <span className="channel-name">{title.replace(/^#/, '')}</span>
      {channel.isShared === true && <span className="channel-tag">shared</span>}
      {channel.isArchived === true && <span className="channel-tag">archived</span>}
      {unread.mentions > 0 && <span className="unread-badge">{unread.mentions}</span>}
    </a>
  )
}
