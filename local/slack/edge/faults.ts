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
}

/** Everything that tests may break, at run time. */
export interface Faults {
  /** How many times each payload is sent to the app; the duplicates carry retry numbers. */
  deliveries: number
  /** Delays every Web API answer: half of it before the call is applied, half after. */
  latencyMs: number
  failNext(method: string, failure: Failure): void
  /** The first app's token in the first workspace stops working, and the app hears `tokens_revoked`. */
  revokeToken(): void
  /** Cuts every Socket Mode connection without a word. */
  dropSockets(): void
}

export interface FaultBox {
  faults: Faults
  takeFailure(method: string): Failure | undefined
}

export function createFaults({
  latencyMs,
  dropSockets,
  revokeToken,
}: {
  latencyMs: number
  dropSockets: () => void
  revokeToken: () => void
}): FaultBox {
  const failures = new Map<string, Failure[]>()
  return {
    faults: {
      deliveries: 1,
      latencyMs,
      failNext: (method, failure) => {
        failures.set(method, [...(failures.get(method) ?? []), {...failure}])
      },
      revokeToken,
      dropSockets,
    },
    takeFailure: (method) => {
      const queue = failures.get(method)
      const next = queue?.find(({times}) => times > 0)
      if (next === undefined) return undefined
      next.times -= 1
      return next
    },
  }
}
