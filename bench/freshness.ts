import type {CallRecord} from '../local/slack/edge/ledger.ts'
import {createPlatformClient} from '../src/platform/client.ts'
import {follow} from '../src/platform/stream/reconnecting.ts'
import {createTransport} from '../src/platform/transport.ts'
import {Secret} from '../src/security/secret.ts'
import {textOf} from '../test/support/verdict.ts'
import type {Place, World} from '../test/support/world.ts'

/** How long text takes from the platform's stream to a version of a message, and how long threads look still. */
export interface Freshness {
  /** Follows the thread of this place beside the bot. */
  watch(place: Place, signal: AbortSignal): void
  /** One for each fragment that was shown. */
  delaysMs(): number[]
  /** Fragments that no version shows: those of broken off replies. */
  unseen(): number
  /** The longest time in which a thread at work changed nothing that people see. */
  longestSilenceMs(): number
}

interface Fragment {
  delivery: string
  /** Of the reply's text up to its end. */
  length: number
  atMs: number
}

interface Work {
  pending: Fragment[]
  /** When something last changed for readers; absent while the thread rests. */
  changedAtMs: number | undefined
}

/** Lengths are compared, not letters: a continued part repeats a fence or a table's head, which is a few. */
export function createFreshness({slack, platform}: World): Freshness {
  const apiKey = new Secret(platform.keys.human)
  const transport = createTransport(platform.baseUrl)
  const client = createPlatformClient({transport, apiKey})
  const works = new Map<string, Work>()
  const shown = new Map<string, Map<string, number>>()
  const keys = new Map<string, string>()
  const delaysMs: number[] = []
  let longestSilenceMs = 0

  const workIn = (slackThread: string): Work => {
    const work = works.get(slackThread) ?? {pending: [], changedAtMs: undefined}
    works.set(slackThread, work)
    return work
  }

  const see = (call: CallRecord): void => {
    const ts = String(call.args['ts'] ?? call.answer['ts'])
    if (call.method === 'chat.postMessage') {
      keys.set(ts, `${String(call.args['thread_ts'])} ${keyOf(call)}`)
    }
    const [slackThread = '', key = ''] = (keys.get(ts) ?? '').split(' ')
    const work = works.get(slackThread)
    if (work === undefined || !/^chat\.(postMessage|update)$/.test(call.method)) return
    longestSilenceMs = Math.max(longestSilenceMs, call.atMs - (work.changedAtMs ?? call.atMs))
    if (work.changedAtMs !== undefined) work.changedAtMs = call.atMs
    const [, delivery = '', part = ''] = /^say:(.*):(\d+)$/.exec(key) ?? []
    const message = slack.messages(String(call.args['channel'])).find((it) => it.ts === ts)
    if (delivery === '' || message === undefined) return
    const parts = shown.get(delivery) ?? new Map<string, number>()
    shown.set(delivery, parts.set(part, textOf(message).length))
    const length = [...parts.values()].reduce((sum, one) => sum + one, 0)
    const isSeen = (it: Fragment): boolean => it.delivery === delivery && it.length <= length + 1
    delaysMs.push(...work.pending.filter(isSeen).map(({atMs}) => call.atMs - atMs))
    work.pending = work.pending.filter((it) => !isSeen(it))
  }
  slack.ledger.subscribe(see)

  const read = async (place: Place, threadId: string, signal: AbortSignal): Promise<void> => {
    const work = workIn(place.ts)
    const lengths = new Map<string, number>()
    const frames = follow({transport, apiKey, client, threadId, after: undefined, signal})
    for await (const frame of frames) {
      if (frame.type === 'run') work.changedAtMs = frame.phase === 'start' ? Date.now() : undefined
      if (frame.type !== 'assistant') continue
      const length = (lengths.get(frame.callId) ?? 0) + frame.text.length
      lengths.set(frame.callId, length)
      work.pending.push({delivery: frame.callId, length, atMs: Date.now()})
    }
  }

  return {
    watch: (place, signal) => {
      const start = async (): Promise<void> => {
        const requestId = `slack:${slack.teamId}:${place.channel}:${place.ts}`
        const thread = platform.threads().find((it) => it.requestId === requestId)
        if (thread !== undefined) await read(place, thread.id, signal)
      }
      void start()
    },
    delaysMs: () => delaysMs,
    unseen: () => [...works.values()].reduce((sum, {pending}) => sum + pending.length, 0),
    longestSilenceMs: () => longestSilenceMs,
  }
}

function keyOf({args}: CallRecord): string {
  const match = /"key":"([^"]+)"/.exec(JSON.stringify(args['metadata'] ?? ''))
  return match?.[1] ?? ''
}
