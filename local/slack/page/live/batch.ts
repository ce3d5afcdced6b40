/** What comes in quick succession, handed on together. */
interface Batch<Item> {
  add: (item: Item) => void
  close: () => void
}

/** Text that grows 20 times a second reads as fluid, and each time the page is drawn anew. */
const betweenMs = 50

/** What comes after a pause is handed on at once. */
export function createBatch<Item>(flush: (items: Item[]) => void): Batch<Item> {
  let waiting: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let nextMs = 0
  const handOn = (): void => {
    const items = waiting
    waiting = []
    nextMs = performance.now() + betweenMs
    flush(items)
  }
  return {
    add: (item) => {
      waiting.push(item)
      if (waiting.length > 1) return
      timer = setTimeout(handOn, Math.max(0, nextMs - performance.now()))
    },
    close: () => {
      clearTimeout(timer)
      waiting = []
    },
  }
}
