import {Avatar} from '../kit/avatar.tsx'
import {DialogFrame} from '../kit/dialog-frame.tsx'
import {localTimeOf, rolesOf} from './member-facts.ts'
import {channelsOf, isPerson, memberOf} from '../live/membership.ts'
import {usePanels} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** Who somebody is, what time it is there, and how to reach or be them. */
export function MemberCard({id, onClose}: {id: string; onClose: () => void}) {
  const {workspace, me, openChannel} = useSession()
  const {actAs} = usePanels()
  const member = memberOf(workspace, id)
  const time = localTimeOf(member, new Date())
  const direct = channelsOf(workspace, me.id).find(
    ({kind, memberIds}) => kind === 'dm' && id !== me.id && memberIds.includes(id),
  )
  const leaveFor = (go: () => void) => () => {
    onClose()
    go()
  }
  return (
    <DialogFrame title={member.realName} className="member-card" onClose={onClose}>
      <div className="member-face">
        <Avatar member={member} size="large" />
        <div>
          <p className="muted">@{member.name}</p>
          <ul className="member-roles" aria-label="Roles">
            {rolesOf(member).map((role) => (
              <li key={role}>{role}</li>
            ))}
            {id === me.id && <li>You</li>}
          </ul>
        </div>
      </div>
      {time !== undefined && (
        <p className="member-time">
          {time} local time <span className="muted">{member.tz}</span>
        </p>
      )}
      {(direct ?? (id !== me.id && isPerson(workspace, id))) && (
        <div className="panel-actions">
          {direct && (
            <button
              type="button"
              className="button"
              onClick={leaveFor(() => openChannel(direct.id))}
            >
              Message
            </button>
          )}
          {id !== me.id && isPerson(workspace, id) && (
            <button type="button" className="button" onClick={leaveFor(() => actAs(id))}>
              Act as {member.realName}
            </button>
          )}
        </div>
      )}
    </DialogFrame>
  )
}
