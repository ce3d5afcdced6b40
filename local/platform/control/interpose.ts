import type {ServerResponse} from 'node:http'

/** What stands between whoever writes an answer and the client. */
export interface Sieve {
  write(bytes: Buffer, pass: (bytes: Buffer) => void): void
  /** Whether the answer may end, after what it still has to say. */
  end(pass: (bytes: Buffer) => void): boolean
}

/** Puts a sieve into an answer that has not begun; answers the function that takes it out again. */
export function interpose(response: ServerResponse, sieve: Sieve): () => void {
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  const pass = (bytes: Buffer): void => {
    if (bytes.length > 0) write(bytes)
  }
  response.write = (chunk: unknown) => {
    sieve.write(toBytes(chunk), pass)
    return !response.writableNeedDrain
  }
  response.end = (chunk?: unknown) => {
    sieve.write(toBytes(chunk), pass)
    if (sieve.end(pass)) end()
    return response
  }
  return () => {
    response.write = write
    response.end = end
  }
}

function toBytes(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0)
}
