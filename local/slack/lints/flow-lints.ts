import {streamLifetimeMs} from '../streams/streams.ts'
import {perChannel as postRate} from '../methods/method.ts'
import type {CallRecord} from '../edge/ledger.ts'
import {quote, toLint, type Lint} from './lint.ts'
import {createRates} from '../edge/rates.ts'

interface FlowLintParts {
  calls: readonly CallRecord[]
  nowMs: number
  timeFactor: number
}

/** What is wrong with calls beside each other. */
export function flowLints({calls, nowMs, timeFactor}: FlowLintParts): Lint[] {
  return [
    ...impatience(calls),
    ...fastPosts(calls),
    ...repetitions(calls),
    ...overlaps(calls, nowMs),
    ...expiredStreams(calls, nowMs, timeFactor),
  ]
}

/** A call before the time that a 429 asked for; calls that were on their way are none. */
function impatience(calls: readonly CallRecord[]): Lint[] {
  const silent = new Map<string, {fromMs: number; untilMs: number}>()
  return calls.flatMap((call) => {
    const key = `${call.appId} ${call.teamId} ${call.method}`
    const limit = silent.get(key)
    const {status, arrivedAtMs, answeredAtMs = Infinity, retryAfterSeconds = 1} = call
    if (status === 429) {
      const untilMs = answeredAtMs + retryAfterSeconds * 1000
      silent.set(key, {fromMs: answeredAtMs, untilMs})
    }
    if (limit === undefined || arrivedAtMs <= limit.fromMs) return []
    // Timers of two processes differ by a little.
    const earlyMs = limit.untilMs - arrivedAtMs
    if (earlyMs <= 50) return []
    const words = `comes ${Math.round(earlyMs)} ms before the end of a Retry-After`
    return [toLint(call, {kind: 'impatient', words})]
  })
}

function fastPosts(calls: readonly CallRecord[]): Lint[] {
  let nowMs = 0
  const rates = createRates({scale: 1, now: () => nowMs})
  return calls.flatMap((call) => {
    if (call.method !== 'chat.postMessage' || !call.applied) return []
    nowMs = call.atMs
    const channel = String(call.args['channel'])
    if (rates.take([{key: `${call.appId} ${channel}`, rate: postRate}]) === undefined) return []
    const words = `posts to ${channel} faster than once a second`
    return [toLint(call, {kind: 'fast-posts', words})]
  })
}

/** Posts that stand there already, and edits that change nothing. What may have been lost may be said again. */
function repetitions(calls: readonly CallRecord[]): Lint[] {
  const posts = new Map<string, string>()
  const standing = new Map<string, string>()
  const unfurled = new Map<string, string>()
  const lints: Lint[] = []
  for (const call of calls) {
    const {method, args, answer, applied, status} = call
    const ts = String(args['ts'] ?? answer['ts'])
    const message = `${String(args['channel'])} ${ts}`
    if (!applied) continue
    const content = contentOf(args)
    if (method === 'chat.postMessage') {
      const post = JSON.stringify([args['channel'], args['thread_ts'], content, args['metadata']])
      if ([...posts.values()].includes(post)) {
        const words = `posts what stands there already: ${quote(String(args['text']))}`
        lints.push(toLint(call, {kind: 'duplicate-post', words}))
      }
      if (status === 200) posts.set(message, post)
    }
    if (method === 'chat.update' && standing.get(message) === content) {
      const words = `edits ${ts} and changes nothing`
      lints.push(toLint(call, {kind: 'unchanged', words}))
    }
    if (method === 'chat.unfurl') {
      const unfurls = JSON.stringify([args['unfurls'], args['metadata']])
      const words = `unfurls in ${ts} what stands there already`
      if (unfurled.get(message) === unfurls) lints.push(toLint(call, {kind: 'unchanged', words}))
      if (status === 200) unfurled.set(message, unfurls)
      else unfurled.delete(message)
    }
    if (method === 'chat.postMessage' || method === 'chat.update') {
      if (status === 200) standing.set(message, content)
      else standing.delete(message)
    }
    if (method === 'chat.delete') {
      posts.delete(message)
      standing.delete(message)
    }
  }
  return lints
}

function contentOf({text, blocks, markdown_text, attachments}: CallRecord['args']): string {
  return JSON.stringify({text, blocks, markdown_text, attachments})
}

const writesToOne = [
  ...['chat.update', 'chat.delete', 'chat.appendStream', 'chat.stopStream', 'chat.unfurl'],
]

/** Two calls at once for one message: which of them wins is chance. */
function overlaps(calls: readonly CallRecord[], nowMs: number): Lint[] {
  const writes = calls.filter(({method}) => writesToOne.includes(method))
  const byMessage = Map.groupBy(
    writes.toSorted((a, b) => a.arrivedAtMs - b.arrivedAtMs),
    ({args}) => `${String(args['channel'])} ${String(args['ts'])}`,
  )
  return [...byMessage.values()].flatMap((those) => {
    let busyUntilMs = 0
    return those.flatMap((call) => {
      const isBusy = call.arrivedAtMs < busyUntilMs
      busyUntilMs = Math.max(busyUntilMs, call.answeredAtMs ?? nowMs)
      const words = `comes while another call for ${String(call.args['ts'])} is under way`
      return isBusy ? [toLint(call, {kind: 'overlapping', words})] : []
    })
  })
}

function expiredStreams(calls: readonly CallRecord[], nowMs: number, timeFactor: number): Lint[] {
  const lifetimeMs = streamLifetimeMs * timeFactor
  const stops = calls.filter(({method, applied}) => method === 'chat.stopStream' && applied)
  return calls.flatMap((call) => {
    if (call.method !== 'chat.startStream' || !call.applied) return []
    const ts = call.answer['ts']
    const stop = stops.find(
      ({args}) => args['ts'] === ts && args['channel'] === call.args['channel'],
    )
    if ((stop?.atMs ?? nowMs) - call.atMs < lifetimeMs) return []
    const words = `starts the stream ${String(ts)}, which runs into its end of five minutes`
    return [toLint(call, {kind: 'expired-stream', words})]
  })
}
