import type {TrafficEntry} from '../../page-feed/contract.ts'
import {isFields, stringIn} from '../live/block-shape.ts'

const maxEntries = 500

export type TrafficKind = 'all' | 'calls' | 'deliveries' | 'errors'

/** One line of the panel. */
export interface TrafficLine {
  key: string
  atMs: number
  kind: 'call' | 'delivery'
  name: string
  /** How it went, in a few words. */
  outcome: string
  isError: boolean
  parts: {label: string; value: unknown}[]
}

/** The newest last; what comes again (a delivery that is settled) takes the place of what it was. */
export function withEntries(
  lines: readonly TrafficLine[],
  news: readonly TrafficEntry[],
): readonly TrafficLine[] {
  const byKey = new Map(lines.map((line) => [line.key, line]))
  for (const entry of news) {
    const line = toLine(entry)
    byKey.set(line.key, line)
  }
  return [...byKey.values()].slice(-maxEntries)
}

export function isShown(line: TrafficLine, kind: TrafficKind, words: string): boolean {
  if (kind === 'calls' && line.kind !== 'call') return false
  if (kind === 'deliveries' && line.kind !== 'delivery') return false
  if (kind === 'errors' && !line.isError) return false
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return true
  if (`${line.name} ${line.outcome}`.toLowerCase().includes(wanted)) return true
  return line.parts.some(({value}) =>
    JSON.stringify(value ?? '')
      .toLowerCase()
      .includes(wanted),
  )
}

function toLine(entry: TrafficEntry): TrafficLine {
  return entry.type === 'call' ? ofCall(entry.call) : ofDelivery(entry.delivery)
}

function ofCall(call: Extract<TrafficEntry, {type: 'call'}>['call']): TrafficLine {
  const {seq, atMs, method, args, status, answer} = call
  const isError = answer.ok !== true || status !== 200
  const error = stringIn(answer.error)
  const said = status === 0 ? 'answer lost' : status === 200 ? (error ?? 'failed') : String(status)
  return {
    key: `call ${seq}`,
    atMs,
    kind: 'call',
    name: method,
    outcome: [isError ? said : 'ok', status !== 200 && error, ...timesOf(call)]
      .filter(Boolean)
      .join(' · '),
    isError,
    parts: [
      {label: 'Arguments', value: args},
      {label: 'Answer', value: answer},
    ],
  }
}

/** How long it took, and how long the app has to wait; as far as that is known. */
function timesOf({
  arrivedAtMs,
  answeredAtMs,
  retryAfterSeconds,
}: Extract<TrafficEntry, {type: 'call'}>['call']): string[] {
  const took = answeredAtMs === undefined ? [] : [`${Math.round(answeredAtMs - arrivedAtMs)} ms`]
  return retryAfterSeconds === undefined ? took : [`retry after ${retryAfterSeconds} s`, ...took]
}

function ofDelivery(delivery: Extract<TrafficEntry, {type: 'delivery'}>['delivery']): TrafficLine {
  const {seq, atMs, attempt, outcome, ackMs, payload, response} = delivery
  const took = ackMs === undefined ? outcome : `${outcome} in ${ackMs} ms`
  return {
    key: `delivery ${seq}`,
    atMs,
    kind: 'delivery',
    name: nameOf(delivery),
    outcome: attempt === 0 ? took : `try ${attempt + 1} · ${took}`,
    isError: outcome === 'timeout' || outcome === 'failed',
    parts: [
      {label: 'Payload', value: payload},
      ...(response === undefined ? [] : [{label: 'Acknowledged with', value: response}]),
    ],
  }
}

/** What happened, as Slack calls it: the event inside of the envelope, the kind of a press. */
function nameOf({kind, payload}: Extract<TrafficEntry, {type: 'delivery'}>['delivery']): string {
  if (kind === 'slash_commands') return stringIn(payload.command) ?? kind
  const {event} = payload
  if (!isFields(event)) return stringIn(payload.type) ?? kind
  return [stringIn(event.type) ?? kind, stringIn(event.subtype)].filter(Boolean).join(' · ')
}
