import {write} from 'node:fs'

/** Lines that nobody reads are kept up to here, then dropped: a stuck reader must not cost memory. */
const MAX_PENDING_CHARS = 1024 * 1024
const TRY_AGAIN_MS = 100

/**
 * Where log lines go: a file descriptor, without ever blocking the event loop or throwing. pino's own
 * destination waits at the process's end for a reader that may be gone for ever.
 */
export function createLogSink(fd: number): {write: (line: string) => void} {
  let pending = ''
  let isWriting = false

  const flush = (): void => {
    if (isWriting || pending === '') return
    isWriting = true
    const bytes = Buffer.from(pending)
    pending = ''
    write(fd, bytes, (error, written) => {
      isWriting = false
      if (error?.code === 'EAGAIN') {
        pending = bytes.toString() + pending
        setTimeout(flush, TRY_AGAIN_MS).unref()
      } else if (error === null) {
        pending = bytes.subarray(written).toString() + pending
        flush()
      }
      // Any other error: the reader is gone, and so are these lines.
    })
  }

  return {
    write: (line) => {
      if (pending.length + line.length <= MAX_PENDING_CHARS) pending += line
      flush()
    },
  }
}
