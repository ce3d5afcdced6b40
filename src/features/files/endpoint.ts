import type {HttpBindings} from '@hono/node-server'
import type {Hono} from 'hono'
import {bearerIn, later, refuse, unproven} from '../../http/refusals.ts'
import {Secret} from '../../security/secret.ts'
import type {Log} from '../../relay/ports.ts'
import {FILES_PATH} from '../../slack/prompts/file-addresses.ts'
import type {FetchFile, FetchOutcome} from './files.ts'

/** Whatever is wrong with a token, or with the address, is one answer: who asks learns of no other file. */
const NO_PROOF =
  'The bearer must be the session token of the work that this file was shared with, and the work go on.'

/**
 * `GET /files/<id>`: code on an agent's machine fetches what people shared with its work in Slack, and proves by its
 * session token which work that is. docs/files.md.
 */
export function addFiles(routes: Hono, fetchFile: FetchFile, log: Pick<Log, 'warn'>): void {
  const path = `${FILES_PATH}:id`
  routes.all(path, async (context) => {
    // Of a file the head alone is not to be had: it would have to be opened, and nobody would read it.
    if (context.req.method !== 'GET') {
      return context.json({error: 'method_not_allowed'}, 405, {allow: 'GET'})
    }
    const token = bearerIn(context.req.raw.headers)
    if (token === undefined) return unproven({outcome: 'denied', isExpired: false}, NO_PROOF)
    const asked = {id: context.req.param('id'), token: new Secret(token)}
    const {outgoing} = context.env as HttpBindings
    return answer(await fetchFile(asked, context.req.raw.signal), (error) => {
      log.warn({err: error}, 'A file broke off on its way to an agent’s machine')
      outgoing.destroy()
    })
  })
}

/** `breakOff`: what has begun cannot be refused any more. */
function answer(said: FetchOutcome, breakOff: (error: unknown) => void): Response {
  switch (said.outcome) {
    case 'open':
      return new Response(unbroken(said.body, breakOff), {headers: headersOf(said)})
    case 'not-yet':
      return later(503, 'not_yet', said.retryAfterMs)
    case 'gone':
      return refuse(
        410,
        'gone',
        'Slack does not have this file any more, or does not let Bosun read it.',
      )
    case 'too-large':
      return refuse(413, 'too_large', 'The file has grown beyond what may be passed on.')
    case 'denied':
    case 'busy':
    case 'no-verification':
      return unproven(said, NO_PROOF)
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(said satisfies never)}`)
  }
}

/** Of a body that fails the server prints all that the error holds, past the log: this one stands still instead. */
function unbroken(
  body: ReadableStream<Uint8Array>,
  breakOff: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  // Also while nobody reads.
  reader.closed.catch(breakOff)
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        reader.read().then(
          ({done, value}) => (done ? controller.close() : controller.enqueue(value)),
          () => undefined,
        ),
      cancel: (reason) => reader.cancel(reason),
    },
    {highWaterMark: 0},
  )
}

/** It is data: whoever opens the address is shown nothing of it. */
function headersOf({name, length}: Extract<FetchOutcome, {outcome: 'open'}>): HeadersInit {
  const shown = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, encodeByte)
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${shown}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(length !== undefined && {'content-length': String(length)}),
  }
}

/** RFC 8187 takes fewer characters than `encodeURIComponent` leaves. */
function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
