import type {IncomingMessage} from 'node:http'

/** Why there is none: it is too long, does not come in time, or others take all the room there is. */
export type Unread = 'too-large' | 'too-slow' | 'busy'

interface BodyLimits {
  maxBytes: number
  /** For all of it to arrive. */
  withinMs?: number
  /**
   * Of bodies that are on their way, all together: however many send slowly, they take no more. Where there is no room the
   * largest goes, so that what is short gets through.
   */
  maxBuffered?: number
  /** The same of those for one receiver, so that the others have room beside it. */
  maxBufferedForOne?: number
}

/** What is kept of one body that is on its way. */
interface Held {
  receiver: string
  bytes: number
  /** It has made room for another one, or nobody waits for it any more. */
  isOut: boolean
  yield: () => void
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

/** So many pieces of one body are kept apart: each takes some hundred bytes besides its own, which nobody counts. */
const MOST_PIECES = 64

export function createBodyReader({
  maxBytes,
  withinMs,
  maxBuffered = Infinity,
  maxBufferedForOne = Infinity,
}: BodyLimits): ReadBody {
  let buffered = 0
  /** By receiver. */
  const shares = new Map<string, number>()
  const all = new Set<Held>()

  const count = (receiver: string, bytes: number): void => {
    buffered += bytes
    const share = (shares.get(receiver) ?? 0) + bytes
    if (share === 0) shares.delete(receiver)
    else shares.set(receiver, share)
  }

  const isFullFor = (receiver: string): boolean => (shares.get(receiver) ?? 0) > maxBufferedForOne

  /** False: whoever asks has to go. */
  const makeRoom = (asking: Held): boolean => {
    const {receiver} = asking
    while (buffered > maxBuffered || isFullFor(receiver)) {
      const isOwn = isFullFor(receiver)
      let largest = asking
      for (const held of all) {
        if (held.bytes > largest.bytes && (!isOwn || held.receiver === receiver)) largest = held
      }
      if (largest === asking) return false
      largest.yield()
    }
    return true
  }

  const read = async ({contentLength, chunks}: Sent, held: Held): Promise<Buffer | Unread> => {
    if (Number(contentLength ?? 0) > maxBytes) return 'too-large'
    const {receiver} = held
    const cut = Promise.withResolvers<'too-slow' | 'busy'>()
    const timer = withinMs && setTimeout(() => cut.resolve('too-slow'), withinMs)
    held.yield = () => {
      count(receiver, -held.bytes)
      Object.assign(held, {bytes: 0, isOut: true})
      cut.resolve('busy')
    }
    let parts: Uint8Array[] = []
    const gather = async (): Promise<Buffer | Unread> => {
      for (;;) {
        const step = await chunks.next()
        // It may come when nobody waits for it any more.
        if (held.isOut) return 'busy'
        if (step.done === true) return Buffer.concat(parts)
        held.bytes += step.value.length
        count(receiver, step.value.length)
        if (held.bytes > maxBytes) return 'too-large'
        if (!makeRoom(held)) return 'busy'
        parts.push(step.value)
        if (parts.length === MOST_PIECES) parts = [Buffer.concat(parts)]
      }
    }
    try {
      // One race for all pieces: each leaves something behind until both have come.
      return await Promise.race([gather(), cut.promise])
    } finally {
      held.isOut = true
      parts = []
      clearTimeout(timer)
      chunks.return?.().catch(() => undefined)
    }
  }

  return async (sent, use) => {
    const {receiver = ''} = sent
    const held: Held = {receiver, bytes: 0, isOut: false, yield: () => undefined}
    all.add(held)
    try {
      const body = await read(sent, held)
      all.delete(held)
      return await use(body)
    } finally {
      all.delete(held)
      count(receiver, -held.bytes)
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

/**
 * A body piece by piece. What nobody wants any more is read on and thrown away, until all has come or the server has had
 * enough: whoever is cut off while writing loses the answer (RFC 9112, section 9.6).
 */
export async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  // Not before somebody wants it: a body that nobody has touched the server throws away by itself.
  const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader()
  const read = async (): Promise<Uint8Array | undefined> => (await reader?.read())?.value
  const readOn = async (): Promise<void> => {
    while ((await read()) !== undefined);
  }
  try {
    for (let chunk = await read(); chunk !== undefined; chunk = await read()) yield chunk
  } finally {
    readOn().catch(() => undefined)
  }
}
