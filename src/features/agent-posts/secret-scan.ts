import type {Leaks} from '../../security/leaks.ts'
import type {Secret} from '../../security/secret.ts'

/** What goes by holds a secret. */
export class SecretInside extends Error {
  override name = 'SecretInside' as const
}

/** Of a text so much is looked at once more with what follows: longer than a secret is, however it is drawn. */
const OVERLAP_CHARS = 32_000
/** Of a text so much is looked at in one go: some ten milliseconds. */
const PART_CHARS = 200_000

/**
 * Passes bytes on and looks for a secret in them, as it is, and in a text for all that are known, also where marks or base64
 * hide them. The last piece is passed on once all has been looked at.
 *
 * @throws {SecretInside} before the last of the secret's bytes is passed on.
 */
export async function* withoutSecret(
  source: AsyncIterable<Uint8Array>,
  secret: Secret,
  leaks: Pick<Leaks, 'hide'>,
): AsyncGenerator<Uint8Array> {
  const holdsBytes = createByteScan(Buffer.from(secret.reveal()))
  const holdsText = createTextScan(leaks)
  let held: Uint8Array | undefined
  for await (const chunk of source) {
    if (holdsBytes(chunk) || holdsText(chunk)) throw new SecretInside()
    if (held !== undefined) yield held
    held = chunk
  }
  if (holdsText(undefined)) throw new SecretInside()
  if (held !== undefined) yield held
}

function createByteScan(needle: Buffer): (chunk: Uint8Array) => boolean {
  let tail = Buffer.alloc(0)
  return (chunk) => {
    const seen = Buffer.concat([tail, chunk])
    tail = Buffer.from(seen.subarray(Math.max(0, seen.length - needle.length + 1)))
    return seen.includes(needle)
  }
}

/** `undefined` ends the text. What is no text holds nothing that could be read. */
function createTextScan(leaks: Pick<Leaks, 'hide'>): (chunk: Uint8Array | undefined) => boolean {
  let decoder: TextDecoder | undefined = new TextDecoder('utf-8', {fatal: true})
  let text = ''
  return (chunk) => {
    try {
      text += chunk === undefined ? '' : (decoder?.decode(chunk, {stream: true}) ?? '')
    } catch {
      decoder = undefined
      text = ''
    }
    if (chunk !== undefined && text.length < PART_CHARS) return false
    const isThere = leaks.hide(text, '') !== text
    text = text.slice(-OVERLAP_CHARS)
    return isThere
  }
}
