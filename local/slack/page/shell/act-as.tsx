import type {MemberView} from '../../page-feed/contract.ts'
import {Avatar} from '../kit/avatar.tsx'
import {remarkOn} from '../panels/member-facts.ts'
import {peopleOf} from '../live/membership.ts'
import {usePanels} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** As whom one looks and writes. All times on the page are the browser's: this says none of its own. */
export function ActAs() {
  const {workspace, me} = useSession()
  const {actAs, show} = usePanels()
  const remark = remarkOn(me)
  return (
    <div className="act-as">
      <button
        type="button"
        className="act-as-face"
        aria-label={`Profile of ${me.realName}`}
        onClick={() => show({kind: 'member', member: me.id})}
      >
        <Avatar member={me} size="large" />
      </button>
      <label className="act-as-text">
        <span className="act-as-label">Act as{remark !== undefined && ` · ${remark}`}</span>
        <select aria-label="Act as" value={me.id} onChange={({target}) => actAs(target.value)}>
          {peopleOf(workspace).map((member) => (
            <option key={member.id} value={member.id}>
              {nameOf(member)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function nameOf(member: MemberView): string {
  const remark = remarkOn(member)
  return remark === undefined ? member.realName : `${member.realName} (${remark})`
}
