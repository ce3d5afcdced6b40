import type {MemberView} from '../page-feed/contract.ts'
import {Avatar} from './avatar.tsx'
import {AppBadge} from './app-badge.tsx'

export function MentionList({
  id,
  choices,
  active,
  onChoose,
}: {
  id: string
  choices: MemberView[]
  active: number
  onChoose: (index: number) => void
}) {
  if (choices.length === 0) return null
  return (
    <ul className="mention-list" id={id} role="listbox" aria-label="Mention someone">
      {choices.map((member, index) => (
        <li
          key={member.id}
          id={`${id}-${index}`}
          role="option"
          aria-label={member.realName}
          aria-selected={index === active}
          className="mention-option"
          onPointerDown={(event) => {
            event.preventDefault() // the caret stays where it is
            onChoose(index)
          }}
        >
          <Avatar member={member} size="small" />
          <strong>{member.realName}</strong>
          <AppBadge member={member} />
          <span className="muted">{member.name}</span>
        </li>
      ))}
    </ul>
  )
}
