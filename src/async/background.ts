/** Work that nobody waits for, until whoever started it ends. */
interface Background {
  keep: (work: Promise<unknown>) => void
  /** All of it is over, and what it started meanwhile. */
  ended: () => Promise<void>
}

export function createBackground(onFailure: (error: unknown) => unknown): Background {
  const all = new Set<Promise<unknown>>()
  return {
    keep: (work) => {
      const kept = work.catch(onFailure).finally(() => all.delete(kept))
      all.add(kept)
    },
    ended: async () => {
      while (all.size > 0) await Promise.all(all)
    },
  }
}
