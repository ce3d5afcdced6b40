import {randomBytes} from 'node:crypto'
import {z} from 'zod'
import {Secret} from '../../../security/secret.ts'

export interface HookSecrets {
  /** The automation's webhook: whoever has it can start runs. Of a hook without an automation an address that is nowhere. */
  url: Secret
  /** What senders prove themselves with. */
  secret: Secret
  /** Those before it, newest first, for as long as each counts. */
  formers: readonly {secret: Secret; untilMs: number}[]
  /** 32 bytes as base64: seals the bodies of its deliveries, so that they go for good when the hook does. */
  bodyKey: Secret
}

/** Of a hook that has no automation. */
export const NOWHERE = 'https://0.invalid/'

const sealedSchema = z.object({
  url: z.string(),
  secret: z.string(),
  formers: z.array(z.object({secret: z.string(), untilMs: z.number()})),
  bodyKey: z.string(),
})

export function toJson({url, secret, formers, bodyKey}: HookSecrets): string {
  const value: z.infer<typeof sealedSchema> = {
    url: url.reveal(),
    secret: secret.reveal(),
    bodyKey: bodyKey.reveal(),
    formers: formers.map((one) => ({secret: one.secret.reveal(), untilMs: one.untilMs})),
  }
  return JSON.stringify(value)
}

export function toSecrets(json: string): HookSecrets {
  const {url, secret, formers, bodyKey} = sealedSchema.parse(JSON.parse(json))
  return {
    url: new Secret(url),
    secret: new Secret(secret),
    formers: formers.map((one) => ({...one, secret: new Secret(one.secret)})),
    bodyKey: new Secret(bodyKey),
  }
}

/** A secret is named like a key, so that one which is typed into a message is known for what it is. */
export function freshKeys(): {secret: Secret; bodyKey: Secret} {
  return {
    secret: new Secret(`sk_hook_${randomBytes(32).toString('base64url')}`),
    bodyKey: new Secret(randomBytes(32).toString('base64')),
  }
}
