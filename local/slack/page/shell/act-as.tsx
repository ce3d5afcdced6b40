import {useEffect, useState} from 'react'
import type {MemberView} from '../../page-feed/contract.ts'
import {Avatar} from '../kit/avatar.tsx'
import {localTimeOf, remarkOn} from '../panels/member-facts.ts'
import {peopleOf} from '../live/membership.ts'
import {usePanels} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

const minuteMs = 60_000

/** As whom one looks and writes, and what time it is for that person. */
export function ActAs() {
  const {workspace, me} = useSession()
  const {actAs, show} = usePanels()
  const now = useNow()
  const about = [remarkOn(me), localTimeOf(me, now)].filter((part) => part !== undefined)
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
        <span className="act-as-label">
          Act as{about.length > 0 && <span className="act-as-time"> · {about.join(' · ')}</span>}
        </span>
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

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minuteMs / 4)
    return () => clearInterval(timer)
  }, [])
  return now
}
