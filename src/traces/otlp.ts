import {AsyncLocalStorage} from 'node:async_hooks'
import {createHash, randomBytes} from 'node:crypto'
import {setTimeout as delay} from 'node:timers/promises'
import {ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace} from '@opentelemetry/api'
import {OTLPTraceExporter} from '@opentelemetry/exporter-trace-otlp-http'
import {resourceFromAttributes} from '@opentelemetry/resources'
import {BatchSpanProcessor, TracerProvider} from '@opentelemetry/sdk-trace'
import {type Step, type Traces, toRoute} from './traces.ts'

interface TracesOptions {
  /** Of a collector; `/v1/traces` is put behind it. */
  endpoint: string
  version: string
}

/** `begun → handled → at work ⇄ settled → over`. What is settled has ended, and so has what nothing came of. */
interface Journey {
  lane: string
  root: Span
  handledAtMs: number | undefined
  work: Span | undefined
  hasWorked: boolean
  /** When all stood; absent while something goes on. */
  settledAtMs: number | undefined
  /** When the last call of it was over. */
  lastMs: number
  isOver: boolean
}

/** So long after it was handled, what makes no agent work is over. */
const QUIET_MS = 60_000
/** Work that was told to go on may seem to rest for a moment. */
const SETTLED_MS = 2000
const MOST = 1000
/** A stop waits so long for a collector. */
const LAST_MS = 2000

/** The one place that knows OpenTelemetry: it is imported where traces are wanted, and nowhere else. */
export function createOtlpTraces({endpoint, version}: TracesOptions): Traces {
  let next: {trace: string; span: string} | undefined
  const provider = new TracerProvider({
    resource: resourceFromAttributes({'service.name': 'bosun', 'service.version': version}),
    spanProcessors: [
      new BatchSpanProcessor({exporter: new OTLPTraceExporter({url: `${endpoint}/v1/traces`})}),
    ],
    idGenerator: {
      generateTraceId: () => next?.trace ?? randomBytes(16).toString('hex'),
      generateSpanId: () => {
        const id = next?.span ?? randomBytes(8).toString('hex')
        next = undefined
        return id
      },
    },
  })
  const tracer = provider.getTracer('bosun', version)
  const current = new AsyncLocalStorage<Journey>()
  let journeys: Journey[] = []

  const childOf = (
    {root, work}: Journey,
    name: string,
    options: Parameters<typeof tracer.startSpan>[1],
  ): Span => tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, work ?? root))

  const end = (journey: Journey): void => {
    journey.work?.end(journey.lastMs)
    journey.root.end(journey.lastMs)
    journey.isOver = true
  }

  /** Of what is over, and of what nothing came of. */
  const tidy = (): void => {
    const nowMs = Date.now()
    for (const journey of journeys) {
      const {handledAtMs = Infinity, settledAtMs = Infinity, hasWorked, isOver} = journey
      const isQuiet = !hasWorked && nowMs - handledAtMs >= QUIET_MS
      if (!isOver && (isQuiet || nowMs - settledAtMs >= SETTLED_MS)) end(journey)
    }
    journeys = journeys.filter(({isOver}) => !isOver)
    for (const journey of journeys.splice(0, journeys.length - MOST)) end(journey)
  }

  const begin = ({key, lane, receivedAtMs, attempts}: Step): Journey => {
    tidy()
    const [kind = ''] = JSON.parse(key) as string[]
    // Who handles it once more, here or elsewhere, adds to the same trace.
    next = {trace: hashOf(key, 32), span: hashOf(`${key} ${attempts}`, 16)}
    const attributes = {'bosun.kind': kind, 'bosun.attempt': attempts + 1}
    const options = {startTime: receivedAtMs, kind: SpanKind.CONSUMER, attributes}
    const root = tracer.startSpan(`slack ${kind}`, options, ROOT_CONTEXT)
    const journey: Journey = {
      ...{lane, root, handledAtMs: undefined, settledAtMs: undefined, work: undefined},
      ...{hasWorked: false, isOver: false, lastMs: Date.now()},
    }
    journeys.push(journey)
    return journey
  }

  const handle: Traces['handle'] = async (step, run) => {
    const journey = begin(step)
    const span = childOf(journey, 'inbox', {})
    try {
      return await current.run(journey, run)
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      span.end()
      journey.handledAtMs = Date.now()
      journey.lastMs = journey.handledAtMs
      // Nothing that is not said in a Slack thread makes an agent work there.
      if (!isThread(step.lane)) end(journey)
    }
  }

  /** The newest that is said there. */
  const at = (channel: string | null, slackThread: string | null): Journey | undefined =>
    journeys.findLast((journey) => {
      if (journey.isOver || !isThread(journey.lane)) return false
      const [, ofChannel, ofThread] = JSON.parse(journey.lane) as string[]
      return ofChannel === channel && ofThread === slackThread
    })

  /** What shows work was begun by the first that was said there, and shows what comes of the newest. */
  const around = (): Journey | undefined => {
    const begun = current.getStore()
    if (begun?.isOver !== true || !isThread(begun.lane)) return begun
    return journeys.findLast(({lane, isOver}) => lane === begun.lane && !isOver)
  }

  const slackCall: Traces['slackCall'] = ({method, body, outcome, tookMs}) => {
    const said = new URLSearchParams(body)
    const channel = said.get('channel') ?? said.get('channel_id')
    const journey = at(channel, said.get('thread_ts')) ?? around()
    if (journey === undefined || journey.isOver) return
    const nowMs = Date.now()
    const span = childOf(journey, method, {
      ...{kind: SpanKind.CLIENT, startTime: nowMs - tookMs},
      attributes: {'bosun.outcome': outcome},
    })
    journey.lastMs = nowMs
    if (outcome !== 'ok') span.setStatus({code: SpanStatusCode.ERROR, message: outcome})
    span.end(nowMs)
  }

  const platformCall: Traces['platformCall'] = ({method, path, error, tookMs}) => {
    const journey = around()
    if (journey === undefined || journey.isOver) return
    const nowMs = Date.now()
    const options = {kind: SpanKind.CLIENT, startTime: nowMs - tookMs}
    const span = childOf(journey, `${method} ${toRoute(path)}`, options)
    journey.lastMs = nowMs
    if (error !== undefined) fail(span, error)
    span.end(nowMs)
  }

  const working: Traces['working'] = ({channel, slackThread}, isWorking) => {
    const journey = at(channel, slackThread)
    if (journey === undefined) return
    if (isWorking && journey.work === undefined) {
      journey.work = childOf(journey, 'stream', {})
      journey.hasWorked = true
      journey.settledAtMs = undefined
    } else if (!isWorking && journey.work !== undefined) {
      journey.lastMs = Date.now()
      journey.work.end(journey.lastMs)
      journey.work = undefined
    }
  }

  const settled: Traces['settled'] = ({team, channel, slackThread}) => {
    const lane = JSON.stringify([team, channel, slackThread])
    for (const journey of journeys) {
      if (journey.lane === lane && journey.hasWorked && journey.work === undefined) {
        journey.settledAtMs ??= Date.now()
      }
    }
    setTimeout(tidy, SETTLED_MS).unref()
  }

  return {
    handle,
    slackCall,
    platformCall,
    working,
    settled,
    [Symbol.asyncDispose]: async () => {
      for (const journey of journeys) if (!journey.isOver) end(journey)
      // What a collector that is away does not take is lost.
      const sent = provider.shutdown().catch(() => undefined)
      await Promise.race([sent, delay(LAST_MS, undefined, {ref: false})])
    },
  }
}

function isThread(lane: string): boolean {
  return (JSON.parse(lane) as unknown[]).length === 3
}

/** What went wrong by its class alone: its words may be people's. */
function fail(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.name : 'unknown'
  span.setStatus({code: SpanStatusCode.ERROR, message})
}

function hashOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
