import {createHash} from 'node:crypto'

/** What a sender says of which delivery it is; each header as often as it came. */
export interface KeyHeaders {
  idempotencyKeys: readonly string[]
  /** https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers */
  githubDeliveries: readonly string[]
}

/** Printable, and as long as the platform takes it. */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/

/**
 * The sender's own key, else GitHub's id of the delivery, else a hash of the body; `undefined` for a key that is none.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header
 */
export function hookKeyOf(
  {idempotencyKeys, githubDeliveries}: KeyHeaders,
  body: Uint8Array,
): string | undefined {
  const given = idempotencyKeys.length > 0 ? idempotencyKeys : githubDeliveries
  const [key, ...others] = given
  if (key === undefined) return `body-${createHash('sha256').update(body).digest('hex')}`
  return others.length === 0 && KEY.test(key) ? key : undefined
}
