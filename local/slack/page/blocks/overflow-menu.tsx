import {useEffect, useId, useRef, useState, type KeyboardEvent} from 'react'
import type {ElementControl} from '../forms/element-control.ts'
import {optionsIn, stringIn, type OptionShape} from '../live/block-shape.ts'
import {MoreIcon} from '../kit/icons.tsx'
import {isSafeUrl, PlainText} from '../text/mrkdwn.tsx'

/** Five options, which is Slack's limit, or one wide label. */
const maxMenuPx = 200

/** The `⋯` menu: arrows move, Enter chooses, Escape and a click elsewhere close. */
export function OverflowMenu({control}: {control: ElementControl}) {
  const [isOpen, setOpen] = useState(false)
  const [placement, setPlacement] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  useEffect(() => {
    if (!isOpen) return
    frame.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
    const closeOutside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const choose = ({value, url}: OptionShape): void => {
    close()
    if (url !== undefined && isSafeUrl(url)) open(url, '_blank', 'noreferrer,noopener')
    control.press(value)
  }
  return (
    <div className="overflow" ref={frame}>
      <button
        ref={opener}
        type="button"
        className={control.isPressed ? 'button button-icon is-pressed' : 'button button-icon'}
        aria-label={stringIn(control.element.accessibility_label) ?? 'More actions'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={menuId}
        aria-busy={control.isPressed}
        onClick={({currentTarget}) => {
          setPlacement(placementOf(currentTarget))
          setOpen(!isOpen)
        }}
      >
        <MoreIcon />
      </button>
      {isOpen && (
        <Menu
          id={menuId}
          placement={placement}
          options={optionsIn(control.element.options)}
          onChoose={choose}
          onClose={close}
        />
      )}
    </div>
  )
}

function Menu({
  id,
  placement,
  options,
  onChoose,
  onClose,
}: {
  id: string
  placement: string
  options: OptionShape[]
  onChoose: (option: OptionShape) => void
  onClose: () => void
}) {
  return (
    <div
      id={id}
      className={`menu ${placement}`}
      role="menu"
      onKeyDown={(event) => moveFocus(event, onClose)}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="menu-item"
          onClick={() => onChoose(option)}
        >
          <PlainText text={option.label} />
        </button>
      ))}
    </div>
  )
}

/** To the side on which the menu is not cut off. */
function placementOf(opener: HTMLElement): string {
  const {left, bottom} = opener.getBoundingClientRect()
  const frame = (opener.closest('.messages, .modal-body') ?? document.body).getBoundingClientRect()
  const isLow = frame.bottom - bottom < maxMenuPx
  return `${isLow ? 'upward' : ''} ${frame.right - left < maxMenuPx ? 'to-left' : ''}`
}

function moveFocus(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = items.findIndex((item) => item === document.activeElement)
  const steps: Record<string, number> = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}
  const next = steps[event.key]
  if (event.key === 'Escape' || event.key === 'Tab') close()
  if (next === undefined && event.key !== 'Escape') return
  event.preventDefault()
  if (next !== undefined) items.at(next % items.length)?.focus()
}
