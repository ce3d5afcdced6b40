import {useEffect, useRef, useState} from 'react'
import type {Entry} from '../../blocks/elements.ts'
import {useSurface, type ElementPlace} from './surface.ts'

/** As Slack does it: what was pressed stays so until the app has acknowledged it, or shows something new. */
const pressedMs = 3000
/** Long enough to be seen, and not to be pressed twice by one who double-clicks. */
const shortestMs = 400

export function usePress(place: ElementPlace): {
  /** Of buttons and menus: not again while the first still waits. */
  press: (value?: Entry) => void
  /** Of choices: each counts, in the order in which they were made. */
  tell: (value: Entry) => void
  isPressed: boolean
  problem: string | undefined
} {
  const surface = useSurface()
  const [pressedOn, setShown] = useState<unknown>()
  // Beside the state, because a second click can come before the first one is drawn.
  const waiting = useRef<unknown>(undefined)
  const told = useRef(Promise.resolve())
  const [problem, setProblem] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const setPressedOn = (pressed: unknown): void => {
    waiting.current = pressed
    setShown(pressed)
  }
  const fail = (error: unknown): void => {
    setPressedOn(undefined)
    setProblem(error instanceof Error ? error.message : String(error))
  }
  const press = (value?: Entry): void => {
    if (waiting.current === surface.shown) return
    setProblem(undefined)
    setPressedOn(surface.shown)
    const endAfter = (ms: number): void => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setPressedOn(undefined), ms)
    }
    endAfter(pressedMs)
    surface.press(place, value).then(() => endAfter(shortestMs), fail)
  }
  const tell = (value: Entry): void => {
    setProblem(undefined)
    told.current = told.current.then(() => surface.press(place, value)).catch(fail)
  }
  return {press, tell, isPressed: pressedOn === surface.shown, problem}
}
