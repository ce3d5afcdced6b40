/**
 * Passes a body on, no faster than it is read, and so keeps one chunk of it. It fails behind `maxBytes`: whoever reads it
 * must see that the file is not whole. `onEnd`: it is over, in whichever way; told once or more.
 */
export function limited(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let left = maxBytes
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const {done, value} = await reader.read()
    if (done) {
      controller.close()
      onEnd()
      return
    }
    left -= value.length
    if (left < 0) throw new RangeError(`The file is longer than ${maxBytes} bytes`)
    controller.enqueue(value)
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          await pull(controller)
        } catch (error) {
          onEnd()
          await reader.cancel(error).catch(() => undefined)
          throw error
        }
      },
      cancel: async (reason) => {
        onEnd()
        await reader.cancel(reason)
      },
    },
    {highWaterMark: 0},
  )
}
