import {Agent} from 'node:http'
import {type Door, forward, openDoor, passedOn, readAsked} from '../../local/balancer/forward.ts'

/** Something that people see has changed, as Slack took it. */
export interface Frame {
  atMs: number
  method: string
  channel: string
  /** The Slack thread it stands in, as far as it is known. */
  thread: string
}

/** When a call is stopped: its bytes are on their way, or its answer is. */
type Moment = 'inside' | 'after'

/** Stands between one instance and Slack. */
export interface SlackGate extends Door {
  apiUrl: string
  /** Holds the next call that shows something for as long as this takes. */
  holdNext(moment: Moment, hold: () => Promise<void>): void
}

const SHOWS = /^\/api\/(chat\.(?:postMessage|update|delete|startStream|appendStream|stopStream))/

interface SlackGateOptions {
  slackPort: number
  seen: (frame: Frame) => void
  /** Slack threads by their messages, of all instances. */
  threads: Map<string, string>
}

export async function startSlackGate(options: SlackGateOptions): Promise<SlackGate> {
  const {slackPort: port, seen, threads} = options
  const agent = new Agent({keepAlive: true})
  let wish: {moment: Moment; hold: () => Promise<void>} | undefined
  const door = await openDoor((incoming, response) => {
    const serve = async (): Promise<void> => {
      const asked = await readAsked(incoming)
      const method = SHOWS.exec(asked.path)?.[1]
      const held = method === undefined ? undefined : wish
      if (held !== undefined) wish = undefined
      if (held?.moment === 'inside') await held.hold()
      const answer = await forward(asked, {port, agent})
      if (method !== undefined) {
        const said = answer.body.toString()
        const args = readArguments(asked.body.toString(), asked.headers['content-type'])
        const ts = args('ts') || (/"ts":"([^"]+)"/.exec(said)?.[1] ?? '')
        const thread = args('thread_ts') || (threads.get(ts) ?? '')
        if (ts !== '' && thread !== '') threads.set(ts, thread)
        if (said.startsWith('{"ok":true'))
          seen({atMs: Date.now(), method, channel: args('channel'), thread})
      }
      if (held?.moment === 'after') await held.hold()
      response.writeHead(answer.status, passedOn(answer.headers)).end(answer.body)
    }
    serve().catch(() => response.destroy())
  })
  return {
    ...door,
    apiUrl: `http://127.0.0.1:${door.port}/api/`,
    holdNext: (moment, hold) => void (wish = {moment, hold}),
    [Symbol.asyncDispose]: async () => {
      agent.destroy()
      await door[Symbol.asyncDispose]()
    },
  }
}

function readArguments(body: string, type = ''): (name: string) => string {
  const values = type.includes('json')
    ? (JSON.parse(body || '{}') as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(body))
  return (name) => (typeof values[name] === 'string' ? values[name] : '')
}
