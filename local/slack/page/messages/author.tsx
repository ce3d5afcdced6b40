import {Avatar} from '../kit/avatar.tsx'
import type {Author} from '../live/membership.ts'
import {usePanels} from '../live/panel.ts'

/** The face beside a message: a click shows who that is. The name does the same for keyboards. */
export function AuthorFace({member}: {member: Author}) {
  const {show} = usePanels()
  return (
    <button
      type="button"
      className="author-face"
      tabIndex={-1}
      aria-hidden="true"
      onClick={() => show({kind: 'member', member: member.id})}
    >
      <Avatar member={member} size="large" />
    </button>
  )
}

export function AuthorName({member}: {member: Author}) {
  const {show} = usePanels()
  return (
    <button
      type="button"
      className="author"
      onClick={() => show({kind: 'member', member: member.id})}
    >
      {member.realName}
    </button>
  )
}
