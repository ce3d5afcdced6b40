import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import type {Secret} from '../security/secret.ts'
import {isSigned, maySign} from '../security/signatures.ts'
import {answer} from './answer.ts'
import {type Unread, createBodyReader, sentBy} from './body.ts'

interface SlackEndpointOptions {
  signingSecret: Secret
  /** Takes what Slack has signed. Its body is read already, and lies in `rawBody`. */
  events: RequestListener
  /** Pages for people's browsers, by their paths. */
  pages?: Readonly<Record<string, RequestListener>> | undefined
  log: {warn(message: string): void}
  nowMs?: () => number
  /** For a body to arrive. */
  withinMs?: number
}

const EVENTS = '/slack/events'
/** Slack's payloads are below 1 MB. */
const MAX_BYTES = 1_000_000
/** Of all bodies whose signature is not judged yet. */
const MAX_BUFFERED_BYTES = 16_000_000
/** Whoever set a wrong secret hears of it so often. */
const TELL_EVERY_MS = 3_600_000
/** Slack itself waits three seconds for an answer. */
const WITHIN_MS = 5000

const UNREAD: Readonly<Record<Unread, readonly [status: number, text: string]>> = {
  'too-large': [413, 'Too large'],
  'too-slow': [408, 'Too slow'],
  busy: [503, 'Busy'],
}

/**
 * Everything below `/slack/`: what has no valid signature of these minutes goes no further, and whoever sent it learns
 * nothing of what was wrong with it. Nothing is read whose head says that it can't have one; of the rest the largest body
 * makes room, so that many who send slowly don't keep Slack out, whose deliveries are short.
 */
export function createSlackEndpoint(options: SlackEndpointOptions): RequestListener {
  const {signingSecret, events, pages = {}, log, nowMs = Date.now, withinMs = WITHIN_MS} = options
  const doubt = createDoubt(log, nowMs)

  const reading = createBodyReader({maxBytes: MAX_BYTES, withinMs, maxBuffered: MAX_BUFFERED_BYTES})

  const admit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const {headersDistinct} = request
    const head = {
      timestamps: headersDistinct['x-slack-request-timestamp'] ?? [],
      signatures: headersDistinct['x-slack-signature'] ?? [],
    }
    if (!maySign(head, nowMs())) {
      refuse(response, 401, 'Unauthorized')
      return
    }
    const body = await reading(sentBy(request), (read) => read)
    if (typeof body === 'string') {
      refuse(response, ...UNREAD[body])
      return
    }
    const isGenuine = isSigned({...head, body}, signingSecret, nowMs())
    doubt(isGenuine)
    if (!isGenuine) {
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

/** A wrong secret looks like strangers who guess: as long as nothing was signed with it, it may be that. */
function createDoubt(log: SlackEndpointOptions['log'], nowMs: () => number) {
  let isProven = false
  let toldAtMs = -Infinity
  return (isGenuine: boolean): void => {
    isProven ||= isGenuine
    if (isProven || Math.abs(nowMs() - toldAtMs) < TELL_EVERY_MS) return
    toldAtMs = nowMs()
    log.warn(
      'A delivery to /slack/events is not signed with SLACK_SIGNING_SECRET, and since the start none was. If it is of Slack ' +
        'and no stranger, set the Signing Secret of the app (Basic Information → App Credentials) and restart.',
    )
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  answer(response, status, text, {'content-type': 'text/plain; charset=utf-8'})
}
