import type {ChannelView} from '../../page-feed/contract.ts'
import {LockIcon, PeopleIcon} from '../kit/icons.tsx'
import {remarksOn} from '../kit/channel-mark.tsx'
import {appUserOf, hasApp, titleOf} from '../live/membership.ts'
import {usePanels, wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** A channel's name, what is peculiar about it, its members, and the way in for the app. */
export function ChannelHeading({channel}: {channel: ChannelView}) {
  const {workspace, me} = useSession()
  const title = titleOf(workspace, channel, me.id)
  if (channel.kind === 'dm') {
    return (
      <>
        <h1>{title}</h1>
        <span className="pane-note">A task, a question: no mention needed</span>
      </>
    )
  }
  const isChannel = channel.kind === 'channel'
  return (
    <>
      <h1>
        {isChannel && channel.isPrivate === true && <LockIcon />}
        {isChannel && channel.isPrivate === true ? channel.name : title}
      </h1>
      <span className="pane-note">{remarksOn(channel).join(' · ')}</span>
      {isChannel && <InviteApp channel={channel} />}
      <MembersButton channel={channel} />
    </>
  )
}

function InviteApp({channel}: {channel: ChannelView}) {
  const {workspace, act} = useSession()
  const {say} = usePanels()
  const app = appUserOf(workspace)?.realName
  const canJoin = !hasApp(workspace, channel) && channel.isArchived !== true
  if (app === undefined || !canJoin) return null
  return (
    <button
      type="button"
      className="button head-button"
      onClick={() => {
        act('inviteBot', {channel: channel.id}).then(
          () => say(`${app} joined #${channel.name}`),
          (error: unknown) => say(wordsOf(error)),
        )
      }}
    >
      Add {app}
    </button>
  )
}

function MembersButton({channel}: {channel: ChannelView}) {
  const {show} = usePanels()
  const {length} = channel.memberIds
  const label = length === 1 ? '1 member' : `${length} members`
  return (
    <button
      type="button"
      className="members-button"
      aria-label={`${label}: details`}
      title="Members and settings"
      onClick={() => show({kind: 'details', channel: channel.id})}
    >
      <PeopleIcon />
      {length}
    </button>
  )
}
