import {createParser} from 'eventsource-parser'

/** What a body of Server-Sent Events holds. */
export type BodyEvent =
  | {type: 'event'; event?: string; id?: string; data: string}
  /** A `retry:` line: milliseconds to wait before reconnecting. */
  | {type: 'retry'; retryMs: number}
  /** An event over the size cap was dropped, whatever it was. */
  | {type: 'oversize'}

interface EventReader {
  /** The events that this chunk completed. */
  read(chunk: Uint8Array): BodyEvent[]
}

/** Reads one connection's bytes. An event longer than `maxChars` is skipped to its end, in constant memory. */
export function createEventReader(maxChars: number): EventReader {
  // The parser takes one byte-order mark off; the decoder must not take another.
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true})
  const gate = createSizeGate(maxChars)
  let events: BodyEvent[] = []
  const parser = createParser({
    onEvent: ({event, id, data}) => {
      events.push({
        type: 'event',
        data,
        ...(event !== undefined && {event}),
        ...(id !== undefined && {id}),
      })
    },
    onRetry: (retryMs) => void events.push({type: 'retry', retryMs}),
  })

  const read = (chunk: Uint8Array): BodyEvent[] => {
    events = []
    for (const piece of gate(decoder.decode(chunk, {stream: true}))) {
      if (piece === OVERSIZE) {
        parser.reset()
        events.push({type: 'oversize'})
      } else {
        parser.feed(piece)
      }
    }
    return events
  }
  return {read}
}

const OVERSIZE = Symbol('oversize')

/**
 * Passes text on until a block (the lines up to a blank one) grows over the cap; then says so once
 * and swallows the rest of that block. The parser's own cap ends the whole connection, and the same
 * frame would come again on the next one.
 */
function createSizeGate(maxChars: number): (text: string) => (string | typeof OVERSIZE)[] {
  let size = 0 // of the block so far
  let skipping = false
  let lineIsEmpty = true
  let lastWasReturn = false

  /** Where the block that `text` continues ends: behind its blank line, or -1. */
  const endOfBlock = (text: string, from: number): number => {
    for (let at = from; at < text.length; at += 1) {
      const char = text.charCodeAt(at)
      const isFeedOfReturn = char === 10 && lastWasReturn
      lastWasReturn = char === 13
      if (isFeedOfReturn) continue
      if (char !== 10 && char !== 13) lineIsEmpty = false
      else if (lineIsEmpty) return at + 1
      else lineIsEmpty = true
    }
    return -1
  }

  return (text) => {
    const pieces: (string | typeof OVERSIZE)[] = []
    let start = 0
    let at = 0
    while (at < text.length) {
      const end = endOfBlock(text, at)
      const stop = end === -1 ? text.length : end
      size += stop - at
      if (!skipping && size > maxChars) {
        if (at > start) pieces.push(text.slice(start, at))
        pieces.push(OVERSIZE)
        skipping = true
      }
      if (skipping) start = stop
      if (end !== -1) {
        size = 0
        skipping = false
      }
      at = stop
    }
    if (start < text.length) pieces.push(text.slice(start))
    return pieces
  }
}
