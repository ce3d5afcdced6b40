import type {IncomingMessage} from 'node:http'

/** Why there is none: it is too long, does not come in time, or others take all the room there is. */
export type Unread = 'too-large' | 'too-slow' | 'busy'

interface BodyLimits {
  maxBytes: number
  /** For all of it to arrive. */
  withinMs?: number
  /** Of bodies that are on their way, all together: however many send slowly, they take no more. */
  maxBuffered?: number
  /** The same of those for one receiver, so that the others have room beside it. */
  maxBufferedForOne?: number
}

interface Sent {
  /** The header, if there is one. */
  contentLength: string | null | undefined
  chunks: AsyncIterator<Uint8Array>
  /** Whom it is for. */
  receiver?: string
}

/** Reads a body for as long as it is used: until then it counts with all others. */
export type ReadBody = <Answer>(
  sent: Sent,
  use: (body: Buffer | Unread) => Answer | Promise<Answer>,
) => Promise<Answer>

export function createBodyReader({
  maxBytes,
  withinMs,
  maxBuffered = Infinity,
  maxBufferedForOne = Infinity,
}: BodyLimits): ReadBody {
  let buffered = 0
  /** By receiver. */
  const shares = new Map<string, number>()

  const count = (receiver: string, bytes: number): void => {
    buffered += bytes
    const share = (shares.get(receiver) ?? 0) + bytes
    if (share === 0) shares.delete(receiver)
    else shares.set(receiver, share)
  }

  const isFull = (receiver: string): boolean =>
    buffered > maxBuffered || (shares.get(receiver) ?? 0) > maxBufferedForOne

  const read = async (
    {contentLength, chunks, receiver = ''}: Sent,
    held: {bytes: number},
  ): Promise<Buffer | Unread> => {
    if (Number(contentLength ?? 0) > maxBytes) return 'too-large'
    const late = Promise.withResolvers<'too-slow'>()
    const timer = withinMs && setTimeout(() => late.resolve('too-slow'), withinMs)
    const parts: Uint8Array[] = []
    try {
      for (;;) {
        const next = chunks.next()
        // It may fail when nobody waits for it any more.
        next.catch(() => undefined)
        const step = await Promise.race([next, late.promise])
        if (step === 'too-slow') return step
        if (step.done === true) return Buffer.concat(parts)
        held.bytes += step.value.length
        count(receiver, step.value.length)
        if (held.bytes > maxBytes) return 'too-large'
        if (isFull(receiver)) return 'busy'
        parts.push(step.value)
      }
    } finally {
      clearTimeout(timer)
      chunks.return?.().catch(() => undefined)
    }
  }

  return async (sent, use) => {
    const held = {bytes: 0}
    try {
      return await use(await read(sent, held))
    } finally {
      count(sent.receiver ?? '', -held.bytes)
    }
  }
}

export function sentBy(request: IncomingMessage): Sent {
  return {
    contentLength: request.headers['content-length'],
    // Whoever is refused in the middle is answered, too.
    chunks: request.iterator({destroyOnReturn: false}) as AsyncIterator<Uint8Array>,
  }
}
