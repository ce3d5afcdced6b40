interface Limits {
  maxBytes: number
  /** So long nothing may move: whoever reads has left, or Slack has. */
  idleMs: number
}

/**
 * Passes a body on, no faster than it is read, and so keeps one chunk of it. It fails behind its limits: whoever reads it
 * must see that the file is not whole. `onEnd`: it is over, in whichever way; told once or more.
 */
export function limited(
  body: ReadableStream<Uint8Array>,
  {maxBytes, idleMs}: Limits,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let left = maxBytes
  let idle: NodeJS.Timeout | undefined
  const end = (): void => {
    clearTimeout(idle)
    onEnd()
  }
  const fail = async (
    controller: ReadableStreamDefaultController<Uint8Array>,
    error: unknown,
  ): Promise<void> => {
    end()
    controller.error(error)
    await reader.cancel(error).catch(() => undefined)
  }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const {done, value} = await reader.read()
    if (done) {
      end()
      controller.close()
      return
    }
    left -= value.length
    if (left < 0) throw new RangeError(`The file is longer than ${maxBytes} bytes`)
    idle?.refresh()
    controller.enqueue(value)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const isIdle = new Error(`Nothing of the file has moved for ${idleMs} ms`)
        idle = setTimeout(() => void fail(controller, isIdle), idleMs).unref()
      },
      pull: (controller) => pull(controller).catch((error: unknown) => fail(controller, error)),
      cancel: async (reason) => {
        end()
        await reader.cancel(reason)
      },
    },
    {highWaterMark: 0},
  )
}
