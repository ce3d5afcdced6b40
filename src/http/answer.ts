import type {OutgoingHttpHeaders, ServerResponse} from 'node:http'

/** So much of what nobody wants is still taken from somebody who is writing, and for so long. */
const LINGER = {bytes: 4_194_304, ms: 1000}

/**
 * Answers, also in the middle of a request. Whoever is cut off while writing loses the answer (RFC 9112, section 9.6): the
 * rest is thrown away for a moment, and then the connection ends.
 */
export function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const {req: request} = response
  if (request.complete) {
    response.writeHead(status, headers).end(text)
    return
  }
  response
    .writeHead(status, {...headers, connection: 'close', 'content-length': Buffer.byteLength(text)})
    .write(text)
  let left = LINGER.bytes
  const end = (): void => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER.ms)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  request.once('end', end).once('close', end)
}
