import type {ServerResponse} from 'node:http'
import type {Clock} from '../clock.ts'
import {HEARTBEAT} from './frames.ts'

/** Where the frames of one stream go: one write for each frame. */
export interface Sink {
  /** Whether the client takes frames slower than they come. */
  isFull(): boolean
  bufferedBytes(): number
  isClosed(): boolean
  write(frame: string): void
  /** Closes after a last frame; with an empty one, without a word. */
  close(lastFrame: string): void
  /** Writes a heartbeat when nothing was written for so long. */
  beat(nowMs: number, silentForMs: number): void
}

export function createSink(response: ServerResponse, clock: Clock, onClose: () => void): Sink {
  let closed = false
  let lastWriteMs = clock.nowMs()
  const write = (frame: string): void => {
    if (closed || frame === '') return
    lastWriteMs = clock.nowMs()
    response.write(frame)
  }
  const close = (lastFrame: string): void => {
    if (closed) return
    write(lastFrame)
    closed = true
    response.end()
    onClose()
  }
  response.on('close', () => close(''))
  response.on('error', () => close(''))
  return {
    isFull: () => response.writableNeedDrain,
    bufferedBytes: () => response.writableLength,
    isClosed: () => closed,
    write,
    close,
    beat: (nowMs, silentForMs) => {
      if (nowMs - lastWriteMs >= silentForMs) write(HEARTBEAT)
    },
  }
}
