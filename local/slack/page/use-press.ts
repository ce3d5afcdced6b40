import {useEffect, useRef, useState} from 'react'
import type {MessageView} from '../page-feed/contract.ts'
import {useSession, type ElementPress} from './session.ts'

export type Press = (element: Pick<ElementPress, 'blockId' | 'actionId' | 'selectedValue'>) => void

/** As Slack does it: what was pressed stays so until the message changes, or for this long. */
const pressedMs = 3000

export function usePress(message: MessageView): {
  press: Press
  isPressed: boolean
  problem: string | undefined
} {
  const session = useSession()
  const [pressedOn, setShown] = useState<MessageView>()
  // Beside the state, because a second click can come before the first one is drawn.
  const waiting = useRef<MessageView>(undefined)
  const [problem, setProblem] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const setPressedOn = (pressed: MessageView | undefined): void => {
    waiting.current = pressed
    setShown(pressed)
  }
  const press: Press = (element) => {
    if (waiting.current === message) return
    setProblem(undefined)
    setPressedOn(message)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPressedOn(undefined), pressedMs)
    const {channel, ts} = message
    session.press({channel, ts, ...element}).catch((error: unknown) => {
      setPressedOn(undefined)
      setProblem(error instanceof Error ? error.message : String(error))
    })
  }
  return {press, isPressed: pressedOn === message, problem}
}
