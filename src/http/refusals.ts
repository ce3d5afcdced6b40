import type {Unproven} from '../agents/session-proof.ts'

const MAX_TOKEN = 8192

/** The bearer token of a request; `undefined` for none, and for what cannot be one. */
export function bearerIn(headers: Headers): string | undefined {
  const token = /^Bearer +([!-~]+) *$/i.exec(headers.get('authorization') ?? '')?.[1]
  return token === undefined || token.length > MAX_TOKEN ? undefined : token
}

/** `{"error": "too_large", "message": "…"}`, for a program and for who reads its log. */
export function refuse(status: number, error: string, message: string, headers = {}): Response {
  return Response.json({error, message}, {status, headers})
}

export function later(status: 429 | 503, error: string, retryAfterMs: number): Response {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return refuse(status, error, `Ask again in ${seconds} s.`, {'retry-after': String(seconds)})
}

/** `needed`: which token would have been the right one. */
export function unproven(said: Unproven, needed: string): Response {
  switch (said.outcome) {
    case 'denied': {
      const challenge = {'www-authenticate': 'Bearer'}
      if (!said.isExpired) return refuse(401, 'unauthorized', needed, challenge)
      const message = 'The session token has expired. Read the file again: it is refreshed.'
      return refuse(401, 'expired', message, challenge)
    }
    case 'busy':
      return later(503, 'busy', said.retryAfterMs)
    case 'no-verification':
      return refuse(501, 'verification_unavailable', 'The agent platform does not verify tokens.')
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(said satisfies never)}`)
  }
}
