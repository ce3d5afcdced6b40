import type {InboxRow} from '../../store/tables/inbox.ts'
import type {CallResult} from './call-watch.ts'

/** Finds, for each message that is for Bosun, the first call that shows its writer something of it. */
interface FirstSigns {
  /** Something that was delivered is taken up. */
  taken(row: Pick<InboxRow, 'key' | 'lane' | 'receivedAtMs'>): void
  /** A call is over; how long after the message, where it is the first sign of one. */
  called(call: Pick<CallResult, 'method' | 'body' | 'outcome'>): number | undefined
}

interface Message {
  channel: string
  slackThread: string
  ts: string
  sinceMs: number
}

/** What people see in a Slack thread. */
const VISIBLE = new Set([
  ...['chat.postMessage', 'chat.postEphemeral', 'chat.startStream', 'chat.update'],
  ...['reactions.add', 'assistant.threads.setStatus', 'agents.sessions.setStatus'],
])
/** Not every message asks for a sign. */
const LOOK_FOR_MS = 60_000
const MOST = 1000

export function createFirstSigns(nowMs: () => number): FirstSigns {
  let awaited: Message[] = []

  const isFresh = ({sinceMs}: Message): boolean => nowMs() - sinceMs < LOOK_FOR_MS

  const taken: FirstSigns['taken'] = ({key, lane, receivedAtMs: sinceMs}) => {
    if (!key.startsWith('["message",')) return
    const [, , channel = '', ts = ''] = JSON.parse(key) as string[]
    const slackThread = (JSON.parse(lane) as string[]).at(-1) ?? ''
    awaited = awaited.filter(isFresh).slice(1 - MOST)
    awaited.push({channel, slackThread, ts, sinceMs})
  }

  const called: FirstSigns['called'] = ({method, body, outcome}) => {
    if (awaited.length === 0 || outcome !== 'ok' || !VISIBLE.has(method)) return undefined
    const said = new URLSearchParams(body)
    const channel = said.get('channel') ?? said.get('channel_id')
    const marks = ['thread_ts', 'ts', 'timestamp'].map((name) => said.get(name))
    const met = awaited.filter(
      (message) =>
        isFresh(message) &&
        message.channel === channel &&
        (marks.includes(message.slackThread) || marks.includes(message.ts)),
    )
    const [first] = met
    if (first === undefined) return undefined
    awaited = awaited.filter((message) => !met.includes(message))
    return nowMs() - first.sinceMs
  }
  return {taken, called}
}
