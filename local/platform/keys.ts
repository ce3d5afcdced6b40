import {randomBytes} from 'node:crypto'
import type {Database} from './database.ts'

/** Whom a key stands for. Section 5.4. */
export interface Principal {
  key: string
  kind: 'human'
  userId: string
  name: string
}

/** The API keys of the organization. Section 5. */
export interface Keys {
  /** The key of this member; it is made once per data file, so that clients keep working after a restart. */
  humanKey(userId: string): string
  /** `undefined` for an unknown or revoked key. */
  principal(key: string): Principal | undefined
  revoke(key: string): void
}

export function createKeys(database: Database): Keys {
  const find = database
    .prepare<[string], string>(`select key from keys where kind = 'human' and userId = ?`)
    .pluck()
  const insert = database.prepare(`insert into keys (key, kind, userId) values (?, 'human', ?)`)
  const principal = database.prepare<[string], Principal>(
    `select key, kind, userId, firstName || ' ' || lastName as name
     from keys join users on users.id = keys.userId where key = ? and revokedAt is null`,
  )
  const revoke = database.prepare(
    'update keys set revokedAt = ? where key = ? and revokedAt is null',
  )
  return {
    humanKey: (userId) => {
      const existing = find.get(userId)
      if (existing !== undefined) return existing
      const key = `key_human_${randomBytes(18).toString('base64url')}`
      insert.run(key, userId)
      return key
    },
    principal: (key) => principal.get(key),
    revoke: (key) => {
      revoke.run(new Date().toISOString(), key)
    },
  }
}
