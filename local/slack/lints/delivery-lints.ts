import {ackTimeoutMs, isBareAck} from '../delivery/transport.ts'
import {isRecord} from '../edge/arguments.ts'
import type {DeliveryRecord} from '../edge/ledger.ts'
import {quote, toLint, type Finding, type Lint} from './lint.ts'

interface DeliveryLintParts {
  deliveries: readonly DeliveryRecord[]
  nowMs: number
  timeFactor: number
}

const slowMs = 2_000

/** How the app acknowledged what it was handed: https://docs.slack.dev/apis/events-api#responding */
export function deliveryLints({deliveries, nowMs, timeFactor}: DeliveryLintParts): Lint[] {
  const acked = new Set(deliveries.filter(({outcome}) => outcome === 'acked').map(({key}) => key))
  return deliveries.flatMap((delivery) =>
    [...timing(delivery, acked.has(delivery.key), nowMs, timeFactor), ...answer(delivery)].map(
      (finding) => toLint({atMs: delivery.atMs, method: nameOf(delivery)}, finding),
    ),
  )
}

function timing(
  {outcome, ackMs = 0, atMs, attempt}: DeliveryRecord,
  isAckedOnce: boolean,
  nowMs: number,
  timeFactor: number,
): Finding[] {
  const late: Finding = {kind: 'late-ack', words: 'is not acknowledged within 3 s'}
  switch (outcome) {
    case 'timeout':
      return [late]
    case 'pending':
      return nowMs - atMs > ackTimeoutMs * timeFactor ? [late] : []
    case 'failed': {
      // A connection may break; what counts is that it arrived in the end.
      const words = `is never acknowledged (attempt ${attempt} fails)`
      return isAckedOnce ? [] : [{kind: 'missing-ack', words}]
    }
    case 'acked': {
      if (ackMs > ackTimeoutMs * timeFactor) return [late]
      const words = `is acknowledged after ${Math.round(ackMs)} ms`
      return ackMs > slowMs * timeFactor ? [{kind: 'slow-ack', level: 'warning', words}] : []
    }
    default:
      throw new Error(`Unknown outcome: ${String(outcome satisfies never)}`)
  }
}

/** What each kind of payload may be answered with; all others are answered with nothing. */
const answers: Readonly<Record<string, readonly string[]>> = {
  view_submission: ['response_action'],
  block_suggestion: ['options', 'option_groups'],
  slash_commands: ['text', 'blocks', 'attachments', 'response_type'],
}
const responseActions = ['errors', 'update', 'push', 'clear']
const responseTypes = ['ephemeral', 'in_channel']

function answer({kind, payload, response}: DeliveryRecord): Finding[] {
  if (isBareAck(response)) return []
  const type = kind === 'interactive' ? String(payload['type']) : kind
  const known = answers[type] ?? []
  const fields = isRecord(response) ? response : {}
  const isKnown =
    known.some((name) => fields[name] !== undefined) &&
    isOneOf(fields['response_action'], responseActions) &&
    isOneOf(fields['response_type'], responseTypes)
  const words = `is acknowledged with ${quote(JSON.stringify(response))}, which Slack does not know`
  return isKnown ? [] : [{kind: 'unknown-ack', words}]
}

function isOneOf(value: unknown, known: readonly string[]): boolean {
  return value === undefined || (typeof value === 'string' && known.includes(value))
}

function nameOf({kind, payload}: DeliveryRecord): string {
  const event = payload['event']
  const type = isRecord(event) ? event['type'] : payload['type']
  return typeof type === 'string' ? `${kind} (${type})` : kind
}
