import {useEffect, useRef} from 'react'

/** Runs the last of several acts once nothing came after it for so long. */
export function useDelay(ms: number): {later: (act: () => void) => void; drop: () => void} {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const drop = (): void => clearTimeout(timer.current)
  const later = (act: () => void): void => {
    drop()
    timer.current = setTimeout(act, ms)
  }
  return {later, drop}
}
