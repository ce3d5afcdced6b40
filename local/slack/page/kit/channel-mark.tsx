import type {ChannelView} from '../../page-feed/contract.ts'
import {Avatar} from './avatar.tsx'
import {LockIcon} from './icons.tsx'
import {othersIn} from '../live/membership.ts'
import {useSession} from '../live/session.ts'

/** What stands in front of a conversation's name: `#`, a lock, a face, or how many people. */
export function ChannelMark({channel}: {channel: ChannelView}) {
  const {workspace, me} = useSession()
  if (channel.kind === 'channel') {
    if (channel.isPrivate !== true) return <span className="hash">#</span>
    return (
      <span className="hash is-private">
        <LockIcon />
      </span>
    )
  }
  const others = othersIn(workspace, channel, me.id)
  const [first] = others
  if (others.length > 1 || !first) return <span className="group-mark">{others.length}</span>
  return <Avatar member={first} size="small" />
}

/** What is peculiar about a conversation, in words that stand behind its name. */
export function remarksOn({isPrivate, isArchived, isShared}: ChannelView): string[] {
  return [
    isPrivate === true && 'private',
    isShared === true && 'shared with another company',
    isArchived === true && 'archived',
  ].filter((remark) => remark !== false)
}
