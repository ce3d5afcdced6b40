import {createHmac, timingSafeEqual} from 'node:crypto'
import {z} from 'zod'

const claimsSchema = z.object({
  threadId: z.string(),
  projectId: z.string().nullable(),
  orgId: z.string(),
  userId: z.string().nullable(),
  /** The machine on which the session runs. */
  instanceId: z.string(),
  issuedAt: z.string(),
  expiresAt: z.string(),
})

/** What a session token says. Section 2.17. */
export type SessionClaims = z.infer<typeof claimsSchema>

/** Signs and reads session tokens: JWTs that nobody but the platform can make or judge. Section 5.8. */
interface SessionSigner {
  sign(claims: SessionClaims): string
  /** `undefined` for whatever this platform has not signed as a session token. */
  read(token: string): SessionClaims | undefined
}

/** The type says what the token is for (RFC 8725, section 3.11); the signature covers it. */
const HEADER = encode({alg: 'HS256', typ: 'session+jwt'})

export function createSessionSigner(secret: Buffer): SessionSigner {
  const signatureOf = (signed: string): Buffer =>
    createHmac('sha256', secret).update(signed).digest()
  return {
    sign: (claims) => {
      const signed = `${HEADER}.${encode(claims)}`
      return `${signed}.${signatureOf(signed).toString('base64url')}`
    },
    read: (token) => {
      const [header, payload, signature, ...rest] = token.split('.')
      if (header !== HEADER || payload === undefined || signature === undefined) return undefined
      if (rest.length > 0 || !isEqual(signature, signatureOf(`${header}.${payload}`))) {
        return undefined
      }
      return claimsSchema.safeParse(decode(payload)).data
    },
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The text must be the very one that we would write: base64 has several for the same bytes. */
function isEqual(signature: string, expected: Buffer): boolean {
  const given = Buffer.from(signature)
  const wanted = Buffer.from(expected.toString('base64url'))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function decode(payload: string): unknown {
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}
