import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import type {Secret} from '../security/secret.ts'
import {isSigned} from '../security/signatures.ts'
import {answer} from './answer.ts'
import {createBodyReader, sentBy} from './body.ts'

interface SlackDoorOptions {
  signingSecret: Secret
  /** Takes what Slack has signed. Its body is read already, and lies in `rawBody`. */
  events: RequestListener
  /** Pages for people's browsers, by their paths. */
  pages?: Readonly<Record<string, RequestListener>> | undefined
  nowMs?: () => number
}

const EVENTS = '/slack/events'
/** Slack's payloads are below 1 MB. */
const MAX_BYTES = 1_000_000

/**
 * Everything below `/slack/`: what has no valid signature of these minutes goes no further, and whoever sent it learns
 * nothing of what was wrong with it.
 */
export function createSlackDoor(options: SlackDoorOptions): RequestListener {
  const {signingSecret, events, pages = {}, nowMs = Date.now} = options

  const reading = createBodyReader({maxBytes: MAX_BYTES})

  const admit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await reading(sentBy(request), (read) => read)
    if (typeof body === 'string') {
      refuse(response, 413, 'Too large')
      return
    }
    const {headersDistinct} = request
    const claim = {
      timestamps: headersDistinct['x-slack-request-timestamp'] ?? [],
      signatures: headersDistinct['x-slack-signature'] ?? [],
      body,
    }
    if (!isSigned(claim, signingSecret, nowMs())) {
      refuse(response, 401, 'Unauthorized')
      return
    }
    // Bolt compares the whole header, parameters and all.
    const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
    if (type !== undefined) request.headers['content-type'] = type
    events(Object.assign(request, {rawBody: body}), response)
  }

  return (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    const wanted = page === undefined ? 'POST' : 'GET'
    if (page === undefined && path !== EVENTS) {
      refuse(response, 404, 'Not found')
    } else if (request.method !== wanted) {
      response.setHeader('allow', wanted)
      refuse(response, 405, 'Method not allowed')
    } else if (page !== undefined) {
      page(request, response)
    } else {
      // A sender that breaks off needs no answer.
      admit(request, response).catch(() => response.destroy())
    }
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  answer(response, status, text, {'content-type': 'text/plain; charset=utf-8'})
}
