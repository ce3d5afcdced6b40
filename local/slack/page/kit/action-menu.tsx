import {useRef, useState, type KeyboardEvent, type ReactNode} from 'react'
import {neighbourOf} from './jump.ts'
import {Popover} from './popover.tsx'

export interface MenuAction {
  label: string
  /** Softer, behind the label: an app's name. */
  detail?: string
  /** The letter that chooses it while the menu is open. */
  letter?: string
  isDanger?: boolean
  run: () => void
}

/** A button that opens a menu: arrows move, Enter chooses, Escape closes. Groups are set apart by lines. */
export function ActionMenu({
  label,
  className,
  groups,
  children,
}: {
  label: string
  className: string
  groups: () => MenuAction[][]
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => setOpen(false)
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <Popover anchor={opener} className="action-menu" onClose={close}>
          <div role="menu" aria-label={label} onKeyDown={moveFocus}>
            {groups()
              .filter((group) => group.length > 0)
              .map((group, index) => (
                <div key={index} role="group" className="menu-group">
                  {group.map((action) => (
                    <MenuItem key={action.label} action={action} onDone={close} />
                  ))}
                </div>
              ))}
          </div>
        </Popover>
      )}
    </>
  )
}

function MenuItem({action, onDone}: {action: MenuAction; onDone: () => void}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={action.isDanger === true ? 'menu-item is-danger' : 'menu-item'}
      aria-label={action.label}
      aria-keyshortcuts={action.letter}
      onClick={() => {
        onDone()
        action.run()
      }}
    >
      <span>{action.label}</span>
      {action.detail !== undefined && <span className="menu-detail">{action.detail}</span>}
      {action.letter !== undefined && <kbd className="menu-detail">{action.letter}</kbd>}
    </button>
  )
}

/** Arrows move, a letter chooses. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const current = items.find((item) => item === document.activeElement)
  const targets: Record<string, () => HTMLElement | undefined> = {
    ArrowDown: () => neighbourOf(items, current, 1),
    ArrowUp: () => neighbourOf(items, current, -1),
    Home: () => items[0],
    End: () => items.at(-1),
  }
  const target = targets[event.key]
  const lettered = items.find((item) => item.getAttribute('aria-keyshortcuts') === event.key)
  if (target === undefined && lettered === undefined) return
  event.preventDefault()
  target?.()?.focus()
  lettered?.click()
}
