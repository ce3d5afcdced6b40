import {z} from 'zod'
import type {Calls} from './calls.ts'

/** What was billed, section 4.10. */
export interface UsageCalls {
  /** The report as it came: the names of its fields are not documented (section 2.16). */
  getUsage(period: Period, signal: AbortSignal): Promise<unknown>
}

/** ISO timestamps; without them, the current UTC month until now. */
interface Period {
  from?: string
  to?: string
}

export function createUsageCalls({read}: Calls): UsageCalls {
  return {
    getUsage: ({from, to}, signal) => read(['usage'], z.unknown(), signal, {from, to}),
  }
}
