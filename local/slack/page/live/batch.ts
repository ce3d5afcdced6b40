/** What comes in quick succession, handed on once per frame. */
interface Batch<Item> {
  add: (item: Item) => void
  close: () => void
}

/** A hidden tab draws no frames: it is told this much later. */
const hiddenMs = 200

export function createBatch<Item>(flush: (items: Item[]) => void): Batch<Item> {
  let waiting: Item[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const forget = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    waiting = []
  }
  const handOn = (): void => {
    const items = waiting
    forget()
    flush(items)
  }
  return {
    add: (item) => {
      waiting.push(item)
      if (waiting.length > 1) return
      frame = requestAnimationFrame(handOn)
      timer = setTimeout(handOn, hiddenMs)
    },
    close: forget,
  }
}
