import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import {HTTPModuleFunctions, HTTPReceiver, type Logger} from '@slack/bolt'
import type {Secret} from '../../security/secret.ts'
import {type Gate, type Sent, asApp, tellUntaken} from './gate.ts'

/** For what Slack has signed: Bolt takes its body from `rawBody`, where whoever checked that has laid it. */
export function createHttpListener(options: {
  signingSecret: Secret
  gate: Gate
  logger: Logger
}): RequestListener {
  const waiting = new WeakMap<IncomingMessage, AbortSignal>()
  const receiver = new HTTPReceiver({
    signingSecret: options.signingSecret.reveal(),
    endpoints: ['/slack/events'],
    logger: options.logger,
    customPropertiesExtractor: (request): Sent => ({hungUp: waiting.get(request)}),
    processEventErrorHandler: async ({error, response}) => {
      tellUntaken(options.logger, error)
      if (!response.headersSent) response.writeHead(500).end()
      return false
    },
  })
  receiver.init(asApp(options.gate))
  const admit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await isNull(request)) response.writeHead(400).end()
    else receiver.requestListener(request, response)
  }
  return (request, response) => {
    const over = new AbortController()
    waiting.set(request, over.signal)
    response.once('close', () => over.abort())
    admit(request, response).catch((error: unknown) => {
      response.writeHead(refusalOf(error), {connection: 'close'}).end()
    })
  }
}

const {bufferIncomingMessage, defaultBodyLimit, isRawBodyError, parseHTTPRequestBody} =
  HTTPModuleFunctions

/** Bolt stumbles over a payload that is `null`, and never answers. It finds the body where this leaves it. */
async function isNull(request: IncomingMessage): Promise<boolean> {
  const buffered = await bufferIncomingMessage(request, defaultBodyLimit)
  try {
    return parseHTTPRequestBody(buffered) === null
  } catch {
    return false // Bolt says so
  }
}

/** Bolt throws for every path and method that it does not know. */
function refusalOf(error: unknown): number {
  return isRawBodyError(error) ? error.statusCode : 404
}
