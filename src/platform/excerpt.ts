import {createHash} from 'node:crypto'

/** The beginning of a text. What is no longer than that is returned as it is. */
export function excerpt(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : copyOf(text.slice(0, maxChars))
}

/** What was cut out of a text, by itself: a slice holds on to all that it was cut from. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

const MAX_ID = 200

/**
 * An id as it is; one that is longer than anybody's, or that no database would give back as it is (U+0000, half of a pair), as
 * what cannot be told from it: ids are kept long, and as keys.
 */
export function boundedId(id: string): string {
  const isWhole = id.isWellFormed()
  if (id.length <= MAX_ID && isWhole && !id.includes('\0')) return id
  const letters = isWhole ? id : JSON.stringify(id)
  return `long:${createHash('sha256').update(letters).digest('base64url')}`
}
