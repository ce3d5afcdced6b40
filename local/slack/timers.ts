/** Timers that end together; `after` answers with what cancels its own. */
export function createTimers() {
  const timers = new Set<NodeJS.Timeout>()
  return {
    after: (delayMs: number, run: () => void): (() => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        run()
      }, delayMs)
      timers.add(timer)
      return () => {
        timers.delete(timer)
        clearTimeout(timer)
      }
    },
    clear: (): void => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
