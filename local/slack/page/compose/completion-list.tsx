import {useEffect, useRef} from 'react'
import {AppBadge} from '../kit/app-badge.tsx'
import {Avatar} from '../kit/avatar.tsx'
import type {Completion, CompletionQuery} from './completion.ts'
import type {Completing} from './use-completion.ts'

const names: Readonly<Record<CompletionQuery['mark'], string>> = {
  '@': 'Mention someone',
  '#': 'Channels',
  ':': 'Emoji',
  '/': 'Commands',
}

/** Above the field: what can be meant, and which of it Enter takes. */
export function CompletionList({completion}: {completion: Completing}) {
  const {id, mark, choices, active, choose} = completion
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({block: 'nearest'})
  }, [active])
  if (choices.length === 0 || mark === undefined) return null
  return (
    <ul
      ref={list}
      className={mark === '/' ? 'mention-list has-commands' : 'mention-list'}
      id={id}
      role="listbox"
      aria-label={names[mark]}
    >
      {choices.map((choice, index) => (
        <li
          key={choice.key}
          id={`${id}-${index}`}
          role="option"
          aria-label={choice.label}
          aria-selected={index === active}
          className="mention-option"
          onPointerDown={(event) => {
            event.preventDefault() // the caret stays where it is
            choose(index)
          }}
        >
          <Face face={choice.face} />
          <strong>{choice.label}</strong>
          {choice.hint !== undefined && <span className="mention-hint">{choice.hint}</span>}
          {'member' in choice.face && <AppBadge member={choice.face.member} />}
          {choice.detail !== undefined && <span className="muted">{choice.detail}</span>}
        </li>
      ))}
    </ul>
  )
}

function Face({face}: {face: Completion['face']}) {
  return 'member' in face ? (
    <Avatar member={face.member} size="small" />
  ) : (
    <span className="mention-sign" aria-hidden="true">
      {face.sign}
    </span>
  )
}
