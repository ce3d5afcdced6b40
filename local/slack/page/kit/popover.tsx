import {useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject} from 'react'

const gapPx = 4
const edgePx = 8

/**
 * Something small above the page, beside what opened it: in the browser's top layer, so that no scrolling
 * list cuts it off. Escape, Tab out of it and a click elsewhere close it, and the focus goes back.
 */
export function Popover({
  anchor,
  className,
  onClose,
  children,
}: {
  anchor: RefObject<HTMLElement | null>
  className: string
  onClose: () => void
  children: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = frame.current
    const opener = anchor.current
    if (!element || !opener) return
    element.showPopover()
    place(element, opener.getBoundingClientRect())
    element.querySelector<HTMLElement>(firstIn())?.focus()
    return () => {
      const hadFocus = element.contains(document.activeElement)
      if (hadFocus) opener.focus()
    }
  }, [anchor])
  useEffect(() => {
    const closeOutside = ({target}: Event): void => {
      if (!(target instanceof Node)) return
      if (!frame.current?.contains(target) && !anchor.current?.contains(target)) onClose()
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [anchor, onClose])
  return (
    <div
      ref={frame}
      popover="manual"
      className={`popover ${className}`}
      onKeyDown={(event) => {
        event.stopPropagation() // the thread around it would close as well
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      onBlur={({relatedTarget}) => {
        if (relatedTarget !== null && !frame.current?.contains(relatedTarget)) onClose()
      }}
    >
      {children}
    </div>
  )
}

/** On a touch screen the focus of a field would raise the keyboard over what one came to choose from. */
function firstIn(): string {
  return matchMedia('(hover: none)').matches ? 'button' : '[data-first], [role="menuitem"]'
}

/** Below the opener, or above it where that is cut off; never beyond an edge. */
function place(element: HTMLElement, opener: DOMRect): void {
  const {width, height} = element.getBoundingClientRect()
  const isLow = opener.bottom + gapPx + height > innerHeight - edgePx
  const top = isLow ? opener.top - gapPx - height : opener.bottom + gapPx
  const left = opener.left + width > innerWidth - edgePx ? opener.right - width : opener.left
  element.style.top = `${Math.max(edgePx, top)}px`
  element.style.left = `${Math.max(edgePx, left)}px`
}
