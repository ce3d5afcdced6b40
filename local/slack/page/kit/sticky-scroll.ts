import {useCallback, useLayoutEffect, useRef, useState, type RefObject} from 'react'

/** How far from the end still counts as being there. */
const slackPx = 48
const ENDS = ['pointerup', 'pointercancel'] as const

/**
 * Keeps the end of a growing list in view, but only for the one who is already there: whoever has
 * scrolled up to read is never moved, and nothing slips away from under a pointer that is down.
 */
export function useStickyScroll(place: string): {
  frame: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  toEnd: () => void
} {
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    const element = frame.current
    if (!element) return
    sticks.current = true
    element.scrollTop = element.scrollHeight
    setAtEnd(true)
  }, [])

  useLayoutEffect(() => {
    const element = frame.current
    const inner = content.current
    if (!element || !inner) return
    toEnd()
    // A scroll event may come after the content has grown: only a person's own way up unsticks.
    let lastTop = element.scrollTop
    const onScroll = (): void => {
      const wentUp = element.scrollTop < lastTop
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight <= slackPx
      lastTop = element.scrollTop
      if (isNear) sticks.current = true
      else if (wentUp) sticks.current = false
      setAtEnd(sticks.current)
    }
    let isHeld = false
    const follow = (): void => {
      if (isHeld) return
      if (sticks.current) element.scrollTop = element.scrollHeight
      lastTop = element.scrollTop
    }
    const observer = new ResizeObserver(follow)
    const onDown = ({target}: PointerEvent): void => {
      // On the frame itself it is the scrollbar's, of whose release nobody may be told.
      isHeld = target !== element
    }
    const onUp = (): void => {
      isHeld = false
      // Behind the click, which goes to what is under the pointer then.
      requestAnimationFrame(follow)
    }
    element.addEventListener('scroll', onScroll, {passive: true})
    element.addEventListener('pointerdown', onDown)
    for (const end of ENDS) window.addEventListener(end, onUp)
    observer.observe(element)
    observer.observe(inner)
    return () => {
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('pointerdown', onDown)
      for (const end of ENDS) window.removeEventListener(end, onUp)
      observer.disconnect()
    }
  }, [place, toEnd])

  return {frame, content, isAtEnd, toEnd}
}
