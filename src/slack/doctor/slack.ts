import {z} from 'zod'
import type {Secret} from '../../security/secret.ts'
import {optionalScopes, scopes} from '../scopes.ts'
import {texts} from '../texts.ts'
import type {Finding} from './finding.ts'

interface AskOptions {
  /** Ends in a slash. */
  apiUrl: string
  token: Secret
}

const WITHIN_MS = 8000
/** Slack's header has no fractions, and an answer takes its time. */
const CLOCK_MAX_MS = 60_000

const answerSchema = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  team: z.string().optional(),
})

/** What Slack says of a token: whose it is, what it may do, and what time it is. */
export async function askSlack({apiUrl, token}: AskOptions): Promise<Finding[]> {
  const {doctor} = texts
  let headers: Headers
  let answer: z.infer<typeof answerSchema>
  try {
    // By hand, since Slack's client keeps the headers to itself.
    const response = await fetch(`${apiUrl}auth.test`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token.reveal()}`},
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    ;({headers} = response)
    answer = answerSchema.parse(await response.json())
  } catch (error) {
    const {name, silent, silentFix} = doctor.token
    return [{name, state: 'wrong', says: silent(whyOf(error)), fix: silentFix}]
  }
  return [toToken(answer), ...(answer.ok ? [toScopes(headers)] : []), toClock(headers, Date.now())]
}

function toToken({
  ok,
  error = 'unknown',
  team = 'a workspace',
}: z.infer<typeof answerSchema>): Finding {
  const {name, well, refused, fix} = texts.doctor.token
  if (ok) return {name, state: 'well', says: well(team)}
  return {name, state: 'wrong', says: refused(error), fix}
}

function toScopes(headers: Headers): Finding {
  const {name, untold, well, without, missing, fix} = texts.doctor.scopes
  const given = headers.get('x-oauth-scopes')
  if (given === null) return {name, state: 'untold', says: untold}
  const has = new Set(given.split(',').map((scope) => scope.trim()))
  const wanted = Object.keys(scopes)
  const lacking = wanted.filter((scope) => !has.has(scope))
  const isWrong = lacking.some((scope) => !optionalScopes.includes(scope))
  if (isWrong) return {name, state: 'wrong', says: missing(lacking), fix}
  if (lacking.length > 0) return {name, state: 'well', says: without(lacking)}
  return {name, state: 'well', says: well(wanted.length)}
}

function toClock(headers: Headers, nowMs: number): Finding {
  const {name, untold, well, wrong, fix} = texts.doctor.clock
  const theirsMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirsMs)) return {name, state: 'untold', says: untold}
  const offsetMs = nowMs - theirsMs
  if (Math.abs(offsetMs) <= CLOCK_MAX_MS) return {name, state: 'well', says: well}
  return {name, state: 'wrong', says: wrong(Math.round(offsetMs / 1000)), fix}
}

/** Never the address: somebody may have put a password into it. */
export function whyOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return 'what answers is not Slack'
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const {cause} = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === '' ? 'no answer' : code
}
