import {startTransition, useEffect, useState} from 'react'

/** Small enough to be drawn between two frames. */
const chunkSize = 20
/** More than a screen of them. */
const nearChunks = 3
/** A page that is never idle draws the older ones all the same. */
const idleTimeoutMs = 300

interface ChunkRange {
  start: number
  end: number
  isDrawn: boolean
  isFar: boolean
}

/**
 * A long list opens at its end: what stands further up is drawn afterwards, piece by piece, while the
 * page has nothing else to do.
 */
export function useChunks(place: string, length: number): ChunkRange[] {
  const count = Math.ceil(length / chunkSize)
  const [drawn, setDrawn] = useState({place, from: firstNear(count)})
  const from = drawn.place === place ? drawn.from : firstNear(count)
  useEffect(() => {
    if (from <= 0) return
    const next = (): void => startTransition(() => setDrawn({place, from: from - 1}))
    const idle = requestIdleCallback(next, {timeout: idleTimeoutMs})
    return () => cancelIdleCallback(idle)
  }, [place, from])
  return chunkRanges(length, from)
}

export function chunkRanges(length: number, drawnFrom: number): ChunkRange[] {
  const count = Math.ceil(length / chunkSize)
  return Array.from({length: count}, (_none, index) => ({
    start: index * chunkSize,
    end: Math.min(length, (index + 1) * chunkSize),
    isDrawn: index >= drawnFrom,
    isFar: index < firstNear(count),
  }))
}

function firstNear(count: number): number {
  return Math.max(0, count - nearChunks)
}
