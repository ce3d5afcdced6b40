import {Agent, request as ask, type IncomingMessage} from 'node:http'
import {connect} from 'node:net'
import {z} from 'zod'
import {createRequests, type HttpRequest} from './platform-requests.ts'

interface FuzzOptions {
  originUrl: string
  routes: readonly {method: string; path: string}[]
  keys: readonly string[]
  seed: string
  requests: number
  /** Told after each thousand requests. */
  onThousand?: (done: number) => Promise<void>
}

interface FuzzOutcome {
  /** Answers that are not as section 7 wants them, with their requests. */
  findings: string[]
  /** How many answers had each status; 0: the server hung up on noise. */
  statuses: Record<string, number>
}

const PARALLEL = 8

/** Sends requests of all kinds to a platform and judges each answer by itself. */
export async function fuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const {originUrl, requests: total, onThousand} = options
  const agent = new Agent({keepAlive: true, maxSockets: PARALLEL})
  const requests = createRequests(options)
  const outcome: FuzzOutcome = {findings: [], statuses: {}}
  let sent = 0
  let done = 0
  const work = async (): Promise<void> => {
    while (sent < total) {
      sent += 1
      const next = requests.next()
      const {status, finding, json} =
        'bytes' in next
          ? await sendNoise(originUrl, next.bytes)
          : await send(originUrl, next, agent)
      requests.learn(json)
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
      if (finding !== undefined) outcome.findings.push(`${finding}\n${tell(next)}`)
      done += 1
      if (done % 1000 === 0) await onThousand?.(done)
    }
  }
  await Promise.all(Array.from({length: PARALLEL}, work))
  agent.destroy()
  return outcome
}

interface Judged {
  status: number
  finding?: string | undefined
  json?: unknown
}

async function send(originUrl: string, request: HttpRequest, agent: Agent): Promise<Judged> {
  const {method, path, headers, body} = request
  try {
    const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>()
    const {hostname: host, port} = new URL(originUrl)
    const asked = ask({host, port, method, path, headers, agent}, resolve)
    asked.setTimeout(ANSWER_WITHIN_MS, () => asked.destroy(new Error('No answer came in time.')))
    asked.on('error', reject).end(body)
    const response = await promise
    return judge(method, response, await readEnough(response))
  } catch (error) {
    return {status: 0, finding: `The connection broke: ${String(error)}`}
  }
}

const ANSWER_WITHIN_MS = 30_000

/** The whole answer; of a stream, what comes first. */
async function readEnough(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += String(chunk)
    if (isStream(response)) break
  }
  return text
}

function isStream({headers}: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true
}

const refusalSchema = z.object({_tag: z.string().startsWith('svc/')})

function judge(method: string, response: IncomingMessage, text: string): Judged {
  const {statusCode: status = 0} = response
  if (status >= 500) return {status, finding: `${status}: ${text}`}
  if (isStream(response)) {
    return {status, finding: text.startsWith('event: status\n') ? undefined : `A stream: ${text}`}
  }
  if (method === 'HEAD') return {status, finding: text === '' ? undefined : `HEAD: ${text}`}
  const json = parse(text)
  const isGood = status >= 400 ? refusalSchema.safeParse(json).success : status < 300
  return {status, json, finding: isGood && json !== undefined ? undefined : `${status}: ${text}`}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Noise may be answered or not; what is answered must be a refusal. */
async function sendNoise(originUrl: string, bytes: Buffer): Promise<Judged> {
  const {promise, resolve} = Promise.withResolvers<string>()
  const socket = connect(Number(new URL(originUrl).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  socket.on('error', () => undefined) // it also closes
  socket.on('close', () => resolve(text))
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy())
  socket.end(bytes)
  await promise
  if (text === '') return {status: 0}
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 500)
  const isGood = status < 500 && text.includes('"_tag":"svc/')
  return {status, finding: isGood ? undefined : `To noise: ${text}`}
}

function tell(request: HttpRequest | {bytes: Buffer}): string {
  if ('bytes' in request) return JSON.stringify(request.bytes.toString('latin1').slice(0, 300))
  const {method, path, body = ''} = request
  return `${method} ${path.slice(0, 300)} ${body.slice(0, 1000)}`
}
