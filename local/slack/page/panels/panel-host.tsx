import {useEffect, useMemo, useRef, useState, type ReactNode} from 'react'
import {BrowseDialog} from './browse-dialog.tsx'
import {ChannelDetails} from './channel-details.tsx'
import {ConfirmDialog} from './confirm-dialog.tsx'
import {CreateChannel} from './create-channel.tsx'
import {createEditing, EditingContext} from '../live/editing.ts'
import {JumpDialog} from './jump-dialog.tsx'
import {neighbourOf} from '../kit/jump.ts'
import {MemberCard} from './member-card.tsx'
import {RunStep} from './run-step.tsx'
import {PanelsContext, type Panel, type Panels} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

const toastMs = 4000

/** What stands above the page, and the keys that work wherever one is. */
export function PanelHost({
  places,
  current,
  onActAs,
  onMarkUnread,
  children,
}: {
  /** The channels in the order in which they are listed. */
  places: readonly string[]
  current: string | undefined
  onActAs: (member: string) => void
  onMarkUnread: (channel: string, ts: string) => void
  children: ReactNode
}) {
  const [panel, setPanel] = useState<Panel>()
  const {words, say} = useToast()
  const editing = useMemo(createEditing, [])
  const handlers = useRef({onActAs, onMarkUnread})
  useEffect(() => {
    handlers.current = {onActAs, onMarkUnread}
  })
  // One object for ever: every message knows it, and none is drawn anew because of it.
  const panels = useMemo<Panels>(
    () => ({
      show: setPanel,
      say,
      actAs: (member) => handlers.current.onActAs(member),
      markUnread: (channel, ts) => handlers.current.onMarkUnread(channel, ts),
    }),
    [say],
  )
  useKeys({places, current, onJump: () => setPanel({kind: 'jump'})})
  return (
    <EditingContext value={editing}>
      <PanelsContext value={panels}>
        {children}
        {panel && <PanelView key={panel.kind} panel={panel} onClose={() => setPanel(undefined)} />}
        <p className={words === undefined ? 'only-heard' : 'toast'} role="status">
          {words}
        </p>
      </PanelsContext>
    </EditingContext>
  )
}

function PanelView({panel, onClose}: {panel: Panel; onClose: () => void}) {
  switch (panel.kind) {
    case 'member':
      return <MemberCard id={panel.member} onClose={onClose} />
    case 'browse':
      return <BrowseDialog onClose={onClose} />
    case 'create':
      return <CreateChannel onClose={onClose} />
    case 'jump':
      return <JumpDialog onClose={onClose} />
    case 'details':
      return <ChannelDetails id={panel.channel} onClose={onClose} />
    case 'step':
      return <RunStep channel={panel.channel} step={panel.step} onClose={onClose} />
    case 'confirm': {
      const answer = (isConfirmed: boolean): void => {
        onClose()
        if (isConfirmed) panel.run()
      }
      return <ConfirmDialog confirm={panel.confirm} onAnswer={answer} />
    }
    default:
      return panel satisfies never
  }
}

function useToast(): {words: string | undefined; say: (words: string) => void} {
  const [toast, setToast] = useState<{words: string}>()
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => setToast(undefined), toastMs)
    return () => clearTimeout(timer)
  }, [toast])
  const say = useMemo(() => (words: string) => setToast({words}), [])
  return {words: toast?.words, say}
}

/** Alt and an arrow go through the channels, Cmd+K to any of them. */
function useKeys({
  places,
  current,
  onJump,
}: {
  places: readonly string[]
  current: string | undefined
  onJump: () => void
}): void {
  const {openChannel} = useSession()
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      const isJump = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k'
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
      const isStep = event.altKey && step !== undefined
      if ((!isJump && !isStep) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      const next = isStep ? neighbourOf(places, current, step) : undefined
      if (isJump) onJump()
      else if (next !== undefined) openChannel(next)
    }
    document.addEventListener('keydown', follow)
    return () => document.removeEventListener('keydown', follow)
  })
}
