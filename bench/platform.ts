import {get, type IncomingMessage} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {atLeast, atMost, endWith, exactly} from './lines.ts'
import {startMeasuredPlatform, type MeasuredPlatform} from './measured-platform.ts'

/**
 * How the embedded platform carries many open streams: each is read from a thread of its own, whose agent writes
 * all the time. The delay is that of transcript entries, from their commit to their arrival here.
 */

const {values: options} = parseArgs({
  options: {
    streams: {type: 'string', default: '2000'},
    /** Of all streams together, in a second. */
    frames: {type: 'string', default: '4000'},
    seconds: {type: 'string', default: '30'},
  },
})
const streams = Number(options.streams)
const framesPerSecond = Number(options.frames)
const seconds = Number(options.seconds)

const FRAGMENTS = 8
const PARALLEL = 16
const WARM_UP_MS = 3000
/** Whoever measures the bot beside it must not measure the platform: it has to be far faster than what is measured. */
const MAX_DELAY_MS = 50
const MAX_LOOP_MS = 50
const LEAST_PART_OF_FRAMES = 0.9

interface Counts {
  frames: number
  closed: number
  delaysMs: number[]
}

await main()

async function main(): Promise<void> {
  await using platform = await startMeasuredPlatform({})
  const before = await platform.vitals()
  await planRuns(platform)
  const counts: Counts = {frames: 0, closed: 0, delaysMs: []}
  const readers = await openStreams(platform, counts)
  await delay(WARM_UP_MS)
  await platform.vitals()
  Object.assign(counts, {frames: 0, delaysMs: []})
  const startedMs = performance.now()
  await delay(seconds * 1000)
  const tookSeconds = (performance.now() - startedMs) / 1000
  const {frames, closed} = counts
  const delaysMs = counts.delaysMs.toSorted((a, b) => a - b)
  const after = await platform.vitals()
  for (const reader of readers) reader.destroy()
  const rows: [string, string][] = [
    ['delay of delivery, p50', `${quantile(delaysMs, 0.5)} ms of ${delaysMs.length} entries`],
    ['delay of delivery, max', `${delaysMs.at(-1) ?? NaN} ms`],
    ['memory', `${after.rssMb.toFixed(0)} MB, ${before.rssMb.toFixed(0)} MB without streams`],
    ['heap in use', `${after.heapMb.toFixed(0)} MB`],
    ['CPU', `${after.cpuPercent.toFixed(0)} % of one core`],
    ['event loop, p50', `${after.loopP50Ms.toFixed(1)} ms`],
    ['event loop, max', `${after.loopMaxMs.toFixed(1)} ms`],
  ]
  console.log(rows.map(([name, value]) => `${name.padEnd(26)}${value}`).join('\n'))
  endWith([
    exactly('open streams', readers.length - closed, streams),
    atLeast('frames a second', frames / tookSeconds, LEAST_PART_OF_FRAMES * framesPerSecond),
    atMost('delay of delivery, p99', quantile(delaysMs, 0.99), MAX_DELAY_MS, 'ms'),
    atMost('event loop, p99', after.loopP99Ms, MAX_LOOP_MS, 'ms'),
  ])
}

/** Each reply makes so many fragments and one entry, until long after the bench. */
async function planRuns({controlUrl}: MeasuredPlatform): Promise<void> {
  const delayMs = ((FRAGMENTS + 1) / FRAGMENTS) * ((1000 * streams) / framesPerSecond)
  const replies = Math.ceil(((seconds + 30) * 1000) / (FRAGMENTS * delayMs))
  const fragments = Array.from({length: FRAGMENTS}, () => 'a few words of it ')
  const steps = Array.from({length: replies}, () => ({kind: 'say', fragments, delayMs}))
  const response = await fetch(`${controlUrl}/scripts`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({times: streams, steps: [{kind: 'turn', steps}]}),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function openStreams(
  {baseUrl, keys}: MeasuredPlatform,
  counts: Counts,
): Promise<IncomingMessage[]> {
  const authorization = `Bearer ${keys['human'] ?? ''}`
  const readers: IncomingMessage[] = []
  let started = 0
  const work = async (): Promise<void> => {
    while (started < streams) {
      const requestId = `bench-${started++}`
      const response = await fetch(`${baseUrl}/threads`, {
        method: 'POST',
        headers: {authorization, 'content-type': 'application/json'},
        body: JSON.stringify({requestId, projectId: 'project_web', message: 'bench'}),
      })
      const {id} = z.object({id: z.string()}).parse(await response.json())
      readers.push(await openStream(`${baseUrl}/threads/${id}/stream`, authorization, counts))
    }
  }
  await Promise.all(Array.from({length: PARALLEL}, work))
  return readers
}

async function openStream(
  url: string,
  authorization: string,
  counts: Counts,
): Promise<IncomingMessage> {
  const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>()
  get(url, {agent: false, headers: {authorization}}, resolve).on('error', reject)
  const response = await promise
  if (response.statusCode !== 200) throw new Error(`A stream answered ${response.statusCode}.`)
  response.setEncoding('utf8')
  response.on('data', (text: string) => count(text, counts))
  response.on('error', () => undefined) // it also closes
  response.on('close', () => (counts.closed += 1))
  return response
}

/** The platform writes each frame at once, and frames are small: no piece holds a part of one. */
function count(text: string, counts: Counts): void {
  const nowMs = Date.now()
  counts.frames += text.split('\nevent: ').length
  for (const [, at = ''] of text.matchAll(/"createdAt":"([^"]+)"/g)) {
    counts.delaysMs.push(nowMs - Date.parse(at))
  }
}

/** The nearest rank: always a value that was measured. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? NaN
}
