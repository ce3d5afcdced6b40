import {randomBytes} from 'node:crypto'

/** A new opaque identifier, safe in a path. */
export function createId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url')}`
}

/**
 * A new cursor. Plain base64 on purpose: ids and cursors are opaque (section 4.1, rule 4), so a client
 * that puts one into a query without encoding it must notice here and not in production.
 */
export function createCursor(): string {
  return randomBytes(10).toString('base64')
}
