import {isRecord} from '../edge/arguments.ts'
import type {DeliveryKind} from '../edge/ledger.ts'

/** What an app has to acknowledge a delivery: https://docs.slack.dev/apis/events-api */
export const ackTimeoutMs = 3_000

/** What the app shall get: an event envelope, a press or a slash command. */
export interface Payload {
  kind: DeliveryKind
  key: string
  body: Record<string, unknown>
}

export interface Handover {
  payload: Payload
  attempt: number
  /** Why it comes again. */
  reason?: string
}

export interface HandoverAnswer {
  outcome: 'acked' | 'timeout' | 'failed'
  reason?: string
  /** The app asked for no further try (`x-slack-no-retry`). */
  isFinal?: boolean
  /** What the acknowledgement carried: the answer to a slash command. */
  response?: unknown
}

/** A way to the app: Socket Mode or signed HTTP. */
export interface Transport {
  /** Somebody is there to hand to. */
  isReady(): boolean
  /** Never rejects: what goes wrong is an outcome. */
  hand(handover: Handover): Promise<HandoverAnswer>
}

/** An acknowledgement that says nothing but that the payload came. */
export function isBareAck(response: unknown): boolean {
  if (response === undefined || response === null || response === '') return true
  return isRecord(response) && Object.keys(response).length === 0
}
