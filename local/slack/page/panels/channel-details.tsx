import type {ChannelView, MemberView} from '../../page-feed/contract.ts'
import {AppBadge} from '../kit/app-badge.tsx'
import {Avatar} from '../kit/avatar.tsx'
import {remarksOn} from '../kit/channel-mark.tsx'
import {DialogFrame} from '../kit/dialog-frame.tsx'
import {remarkOn} from './member-facts.ts'
import {appUserOf, hasApp, memberOf, titleOf} from '../live/membership.ts'
import {usePanels, wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** Who is in a channel, and what one can do with it. */
export function ChannelDetails({id, onClose}: {id: string; onClose: () => void}) {
  const {workspace, me} = useSession()
  const channel = workspace.channels.find((one) => one.id === id)
  if (!channel) return null
  const members = channel.memberIds.map((member) => memberOf(workspace, member))
  const remarks = remarksOn(channel)
  return (
    <DialogFrame title={titleOf(workspace, channel, me.id)} className="details" onClose={onClose}>
      {remarks.length > 0 && <p className="muted">This channel is {remarks.join(', ')}.</p>}
      <h3 className="menu-heading">
        {members.length === 1 ? '1 member' : `${members.length} members`}
      </h3>
      <ul className="browse-list" aria-label="Members">
        {members.map((member) => (
          <li key={member.id}>
            <MemberRow member={member} />
          </li>
        ))}
      </ul>
      {channel.kind === 'channel' && channel.isArchived !== true && (
        <DetailActions channel={channel} onDone={onClose} />
      )}
    </DialogFrame>
  )
}

function MemberRow({member}: {member: MemberView}) {
  const {me} = useSession()
  const {show} = usePanels()
  const remark = remarkOn(member)
  return (
    <button
      type="button"
      className="member-row"
      onClick={() => show({kind: 'member', member: member.id})}
    >
      <Avatar member={member} size="small" />
      <strong>{member.realName}</strong>
      <AppBadge member={member} />
      <span className="muted">
        {[...(member.id === me.id ? ['you'] : []), ...(remark ? [remark] : [])].join(' · ')}
      </span>
    </button>
  )
}

function DetailActions({channel, onDone}: {channel: ChannelView; onDone: () => void}) {
  const {workspace, me, act} = useSession()
  const {say, show} = usePanels()
  const steps = workspace.apps.flatMap((one) => one.steps)
  const app = appUserOf(workspace)
  const isHere = hasApp(workspace, channel)
  const run = (name: string, fields: object): void => {
    act(name, {channel: channel.id, ...fields}).then(onDone, (error: unknown) =>
      say(wordsOf(error)),
    )
  }
  return (
    <div className="panel-actions">
      {app && (
        <button
          type="button"
          className="button"
          onClick={() => run(isHere ? 'kickBot' : 'inviteBot', {})}
        >
          {isHere ? 'Remove' : 'Add'} {app.realName}
        </button>
      )}
      {steps.map((step) => (
        <button
          key={step.callbackId}
          type="button"
          className="button"
          title={step.description}
          onClick={() => show({kind: 'step', channel: channel.id, step})}
        >
          Run a workflow: {step.title}
        </button>
      ))}
      <button
        type="button"
        className="button button-danger"
        onClick={() => run('kick', {memberId: me.id})}
      >
        Leave channel
      </button>
    </div>
  )
}
