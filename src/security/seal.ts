import {createCipheriv, createDecipheriv, randomBytes} from 'node:crypto'
import type {Secret} from './secret.ts'

/** A key that seals: its id stands in clear in front of what it sealed. */
export interface SealingKey {
  id: string
  /** 32 bytes as base64. */
  key: Secret
}

/** Where a sealed value lives. A value moved to another table, row or purpose does not open. */
export interface SealPlace {
  table: string
  row: string
  purpose: string
}

export interface Sealer {
  /** Seals with the first key. Without any key it throws {@link SealError} `no-key`. */
  seal(text: string, place: SealPlace): string
  /** Opens what any of the keys sealed; throws {@link SealError} `unknown-key` or `broken`. */
  open(sealed: string, place: SealPlace): string
}

export class SealError extends Error {
  override name = 'SealError' as const
  readonly code: 'no-key' | 'unknown-key' | 'broken'
  readonly keyId: string | undefined

  constructor(code: SealError['code'], message: string, keyId?: string) {
    super(message)
    this.code = code
    this.keyId = keyId
  }
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM; a sealed value reads `<key id>:<base64 of iv, tag, ciphertext>`. */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const raw = new Map(keys.map(({id, key}) => [id, Buffer.from(key.reveal(), 'base64')]))

  const seal = (text: string, place: SealPlace): string => {
    const id = keys[0]?.id
    const key = id === undefined ? undefined : raw.get(id)
    if (id === undefined || key === undefined) {
      throw new SealError('no-key', 'Nothing can be sealed without BOSUN_KEYS.')
    }
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData(id, place))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `${id}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
  }

  const open = (sealed: string, place: SealPlace): string => {
    const colon = sealed.indexOf(':')
    const id = sealed.slice(0, Math.max(colon, 0))
    const key = raw.get(id)
    if (key === undefined) {
      throw new SealError('unknown-key', `No key with the id "${id}" is configured.`, id)
    }
    const bytes = Buffer.from(sealed.slice(colon + 1), 'base64')
    try {
      // Without the length a shortened tag would do too.
      const iv = bytes.subarray(0, IV_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, iv, {authTagLength: TAG_BYTES})
      decipher.setAAD(additionalData(id, place))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const body = bytes.subarray(IV_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    } catch {
      // The library's own error says nothing more, and nothing of the value may be said.
      throw new SealError('broken', `A value sealed with the key "${id}" does not open.`, id)
    }
  }

  return {seal, open}
}

function additionalData(keyId: string, {table, row, purpose}: SealPlace): Buffer {
  return Buffer.from(JSON.stringify([keyId, table, row, purpose]))
}
