import {z} from 'zod'
import type {Clock} from '../clock.ts'
import {invalidRequest} from '../edge/errors.ts'
import type {AddRoute, Request} from '../edge/request.ts'
import {toReach} from '../organization/access.ts'
import type {UsageReports, UsageWindow} from './report.ts'

interface UsageRoutes {
  clock: Clock
  usageReports: UsageReports
}

/** What was billed in a window of time. Section 4.10. */
export function addUsageRoutes(add: AddRoute, {clock, usageReports}: UsageRoutes): void {
  add('GET', '/usage', (request) => {
    const window = readWindow(request, clock.nowMs())
    return request.json(usageReports.report(toReach(request.get('principal')), window))
  })
}

/** The window of the query: until now unless it says otherwise, from the start of that UTC month. */
function readWindow(request: Request, nowMs: number): UsageWindow {
  const to = readMoment(request, 'to') ?? new Date(nowMs)
  const from = readMoment(request, 'from') ?? startOfMonth(to)
  if (from > to) {
    throw invalidRequest(`from (${from.toISOString()}) is later than to (${to.toISOString()}).`)
  }
  return {from: from.toISOString(), to: to.toISOString()}
}

/** A date alone is its first moment, in UTC. */
const momentSchema = z.iso.datetime({offset: true}).or(z.iso.date())

function readMoment(request: Request, name: 'from' | 'to'): Date | undefined {
  const given = request.req.query(name)
  if (given === undefined) return undefined
  if (momentSchema.safeParse(given).success) return new Date(given)
  throw invalidRequest(`${name} must be an ISO 8601 timestamp such as 2026-01-31T08:00:00.000Z.`)
}

function startOfMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()))
}
