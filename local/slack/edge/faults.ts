/** What shall go wrong with the next calls of one method. */
export interface Failure {
  times: number
  /** With a status or an error the call is answered so; without either its connection is cut. */
  status?: number
  error?: string
  /** Whether the call takes effect all the same. */
  applied: boolean
  retryAfterSeconds?: number
  /** Holds the call so long before anything else happens to it: an answer (or an effect) that comes late. */
  delayMs?: number
  /** With `applied`: it takes effect only so long after its answer. */
  lateMs?: number
  /** The answer is the page of a proxy in front of Slack, and not Slack's own. */
  page?: true
}

/** So many calls, or all calls for so long, are answered with 429. */
interface Storm {
  ms?: number
  times?: number
  /** 1 by default. */
  retryAfterSeconds?: number
}

/** Why Slack ends a Socket Mode connection: https://docs.slack.dev/apis/events-api/using-socket-mode */
export const disconnectReasons = ['warning', 'refresh_requested', 'link_disabled'] as const

export type DisconnectReason = (typeof disconnectReasons)[number]

/** Everything that tests may break, at run time. */
export interface Faults {
  /** How many times each payload is sent to the app; the duplicates carry retry numbers. */
  deliveries: number
  /** Delays every Web API answer: half of it before the call is applied, half after. */
  latencyMs: number
  /** Delays it further by anything up to so long, each answer by another time. */
  jitterMs: number
  /** Events that come close together are told in the opposite order. */
  reorder: boolean
  /** How many events an app gets from one workspace in an hour, before it only hears `app_rate_limited`. */
  eventsPerHour: number
  failNext(method: string, failure: Failure): void
  /** `*`: of all methods together. What `failNext` asks for comes first. */
  storm(method: string, storm: Storm): void
  /** Ends all storms, forgets what else shall fail, and lets go of what a failure holds. */
  calm(): void
  /** The first app's token in the first workspace stops working, and the app hears `tokens_revoked`. */
  revokeToken(): void
  /** Cuts every Socket Mode connection without a word. */
  dropSockets(): void
  /** Announces the end of every Socket Mode connection, and closes it a moment later. */
  disconnectSockets(reason: DisconnectReason): void
}

export interface FaultBox {
  faults: Faults
  takeFailure(method: string): Failure | undefined
  /** Aborted by the next `calm`. */
  untilCalm(): AbortSignal
}

type Acts = Pick<Faults, 'revokeToken' | 'dropSockets' | 'disconnectSockets'>

interface FaultsParts extends Acts, Pick<Faults, 'latencyMs' | 'jitterMs' | 'eventsPerHour'> {
  now: () => number
}

export function createFaults({now, ...parts}: FaultsParts): FaultBox {
  const failures = new Map<string, Failure[]>()
  const storms = createStorms(now)
  let unrest = new AbortController()
  return {
    faults: {
      deliveries: 1,
      reorder: false,
      ...parts,
      failNext: (method, failure) => {
        failures.set(method, [...(failures.get(method) ?? []), {...failure}])
      },
      storm: storms.raise,
      calm: () => {
        failures.clear()
        storms.clear()
        unrest.abort()
        unrest = new AbortController()
      },
    },
    untilCalm: () => unrest.signal,
    takeFailure: (method) => {
      const next = failures.get(method)?.find(({times}) => times > 0)
      if (next === undefined) return storms.strike(method)
      next.times -= 1
      return next
    },
  }
}

function createStorms(now: () => number) {
  const storms = new Map<string, {endsAtMs: number; left: number; retryAfterSeconds: number}>()
  const strike = (method: string): Failure | undefined => {
    const storm = storms.get(method)
    if (storm === undefined || storm.left <= 0 || now() >= storm.endsAtMs) return undefined
    storm.left -= 1
    const {retryAfterSeconds} = storm
    return {times: 0, status: 429, retryAfterSeconds, applied: false}
  }
  return {
    raise: (method: string, {ms = Infinity, times = Infinity, retryAfterSeconds = 1}: Storm) =>
      void storms.set(method, {endsAtMs: now() + ms, left: times, retryAfterSeconds}),
    strike: (method: string) => strike(method) ?? strike('*'),
    clear: () => storms.clear(),
  }
}
