import {z} from 'zod'
import type {Calls} from '../calls.ts'
import {PlatformError} from '../errors.ts'
import {textIfSet} from '../model.ts'
import {readToken, readWord} from '../unnamed.ts'

/** Session identity: code in an agent's machine proves which session it belongs to. Section 4.11. */
interface SessionCalls {
  getSessionToken(threadId: string, signal: AbortSignal): Promise<SessionToken>
  /** Whether the token is good now is the platform's word alone: it is never parsed here (section 5.8). */
  verifySession(token: string, signal: AbortSignal): Promise<Verification>
}

/** The shape of the answer is not documented: the token where one can be told, and all that came. */
interface SessionToken {
  token: string | undefined
  raw: unknown
}

/** What section 4.11 may call the token: it does not say. */
const TOKEN_NAMES = ['token', 'sessionToken', 'session_token', 'jwt'] as const

export function createSessionCalls({call, read}: Calls): SessionCalls {
  /** The last one that was understood. */
  let name: (typeof TOKEN_NAMES)[number] = 'token'

  const getSessionToken: SessionCalls['getSessionToken'] = async (threadId, signal) => {
    const raw = await read(['threads', threadId, 'session-token'], z.unknown(), signal)
    return {token: readToken(raw), raw}
  }

  const verifyAs = async (
    as: (typeof TOKEN_NAMES)[number],
    token: string,
    signal: AbortSignal,
  ): Promise<Verification> => {
    try {
      return await call({
        method: 'POST',
        path: ['sessions', 'verify'],
        body: {[as]: token},
        answer: verificationSchema,
        signal,
        mayRepeat: true,
      })
    } catch (error) {
      const reason = refusalIn(error)
      if (reason === undefined) throw error
      return {valid: false, reason}
    }
  }

  const verifySession: SessionCalls['verifySession'] = async (token, signal) => {
    let refusal: PlatformError | undefined
    for (const as of [name, ...TOKEN_NAMES.filter((one) => one !== name)]) {
      try {
        const said = await verifyAs(as, token, signal)
        name = as
        return said
      } catch (error) {
        // It may be the name that it does not know.
        if (!(error instanceof PlatformError) || error.status !== 400) throw error
        refusal ??= error
      }
    }
    throw refusal ?? new Error('There is no name for a token')
  }

  return {getSessionToken, verifySession}
}

const idIfSet = z
  .string()
  .nullish()
  .transform((id) => id ?? undefined)

/** What a session token proves, section 2.17. Only whose session it is must be as documented: nothing else may cost that. */
const provenSchema = z.looseObject({
  valid: z.literal(true),
  threadId: idIfSet,
  projectId: idIfSet,
  orgId: textIfSet,
  userId: textIfSet,
  instanceId: textIfSet,
  issuedAt: textIfSet,
  expiresAt: textIfSet,
})

/** Either half is enough: `valid: false`, or a word for why. */
const refusedSchema = z
  .looseObject({valid: z.literal(false).optional()})
  .transform((answer, context) => {
    const reason = readReason(answer)
    if (answer.valid === undefined && reason === undefined) {
      context.addIssue({code: 'custom', path: ['valid'], message: 'neither valid nor refused'})
    }
    return {...answer, valid: false as const, reason}
  })

const verificationSchema = z.union([provenSchema, refusedSchema])

type Verification =
  z.infer<typeof provenSchema> | {valid: false; reason: 'expired' | 'invalid' | undefined}

/** The field that tells one from the other is not named (section 4.11). */
function readReason(answer: unknown): 'expired' | 'invalid' | undefined {
  return readWord(answer, ['expired', 'invalid'], 'reason')
}

/** A 4xx that says why the token is not valid is an answer too. */
function refusalIn(error: unknown): 'expired' | 'invalid' | undefined {
  if (!(error instanceof PlatformError) || error.status === undefined) return undefined
  return error.status >= 400 && error.status < 500 ? readReason(error.fields) : undefined
}
