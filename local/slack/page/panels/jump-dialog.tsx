import {useId, useState, type KeyboardEvent} from 'react'
import {AppBadge} from '../kit/app-badge.tsx'
import {Avatar} from '../kit/avatar.tsx'
import {ChannelMark} from '../kit/channel-mark.tsx'
import {DialogFrame} from '../kit/dialog-frame.tsx'
import {jumpTargets, neighbourOf, type JumpTarget} from '../kit/jump.ts'
import {remarkOn} from './member-facts.ts'
import {usePanels} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** Cmd+K: a few letters and Enter lead to any place or person. */
export function JumpDialog({onClose}: {onClose: () => void}) {
  const {workspace, me, openChannel} = useSession()
  const {show} = usePanels()
  const listId = useId()
  const [words, setWords] = useState('')
  const [active, setActive] = useState(0)
  const targets = jumpTargets(workspace, me.id, words)
  const go = (target: JumpTarget | undefined): void => {
    if (target?.kind === 'member') show({kind: 'member', member: target.member.id})
    if (target?.kind !== 'channel') return
    onClose()
    openChannel(target.channel.id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, 1 | -1> = {ArrowDown: 1, ArrowUp: -1}
    const step = steps[event.key]
    const indexes = [...targets.keys()]
    if (step !== undefined) setActive(neighbourOf(indexes, active, step) ?? 0)
    else if (event.key === 'Enter') go(targets[active])
    else return
    event.preventDefault()
  }
  return (
    <DialogFrame title="Jump to" className="jump" onClose={onClose}>
      <input
        data-first
        type="search"
        className="field"
        role="combobox"
        aria-label="Jump to a channel or a person"
        aria-expanded={targets.length > 0}
        aria-controls={listId}
        aria-activedescendant={`${listId}-${active}`}
        placeholder="A channel or a person"
        value={words}
        onChange={({target}) => {
          setWords(target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} className="jump-list" role="listbox" aria-label="Places and people">
        {targets.map((target, index) => (
          <li
            key={target.kind === 'channel' ? target.channel.id : target.member.id}
            id={`${listId}-${index}`}
            role="option"
            aria-label={target.title}
            aria-selected={index === active}
            className="mention-option"
            onClick={() => go(target)}
          >
            <TargetRow target={target} />
          </li>
        ))}
      </ul>
      {targets.length === 0 && <p className="muted">Nothing here is called “{words}”.</p>}
    </DialogFrame>
  )
}

function TargetRow({target}: {target: JumpTarget}) {
  if (target.kind === 'channel') {
    return (
      <>
        <ChannelMark channel={target.channel} />
        <strong>{target.title.replace(/^#/, '')}</strong>
      </>
    )
  }
  return (
    <>
      <Avatar member={target.member} size="small" />
      <strong>{target.title}</strong>
      <AppBadge member={target.member} />
      <span className="muted">{remarkOn(target.member)}</span>
    </>
  )
}
