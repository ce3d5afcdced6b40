import type {SqlDatabase} from '../database.ts'
import {createDeliveries, type Deliveries} from '../delivery/deliveries.ts'
import {createHttpDelivery} from '../delivery/http-delivery.ts'
import {createSocketMode} from '../delivery/socket-mode.ts'
import {ackTimeoutMs, type Transport} from '../delivery/transport.ts'
import type {Faults} from '../edge/faults.ts'
import type {LedgerWriter} from '../edge/ledger.ts'
import type {App} from './app.ts'

/** How Slack reaches one app: Socket Mode, or signed HTTP as soon as there is an address for it. */
export interface AppLine {
  app: App
  /** What is to happen to its payloads. */
  faults: Readonly<Faults>
  socketMode: ReturnType<typeof createSocketMode>
  deliveries: Deliveries
  setEventsUrl(url: string): void
}

interface AppLineParts {
  app: App
  database: SqlDatabase
  recordDelivery: LedgerWriter['recordDelivery']
  faults: Faults
  /** Aborted when the local Slack closes. */
  closing: AbortSignal
  timeFactor: number
  now: () => number
}

export function openLine(parts: AppLineParts): AppLine {
  const {app, faults, timeFactor, now} = parts
  const {delivery} = app.options
  let eventsUrl = delivery?.mode === 'http' ? delivery.eventsUrl : undefined
  const socketMode = createSocketMode({
    appId: app.id,
    ackTimeoutMs: ackTimeoutMs * timeFactor,
    timeFactor,
    isEnabled: () => eventsUrl === undefined,
    onReady: () => deliveries.flush(),
  })
  const http = createHttpDelivery({
    eventsUrl: () => eventsUrl,
    signingSecret: app.signingSecret,
    timeoutMs: ackTimeoutMs * timeFactor,
    closing: parts.closing,
    now,
  })
  const chosen = (): Transport => (eventsUrl === undefined ? socketMode : http)
  const transport: Transport = {
    isReady: () => chosen().isReady(),
    hand: (handover) => chosen().hand(handover),
  }
  const deliveries = createDeliveries({...parts, appId: app.id, transport})
  return {
    app,
    faults,
    socketMode,
    deliveries,
    setEventsUrl: (url) => {
      eventsUrl = url
      deliveries.flush()
    },
  }
}
