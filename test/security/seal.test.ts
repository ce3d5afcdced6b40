import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {SealError, type SealPlace, createSealer} from '../../src/security/seal.ts'
import {Secret} from '../../src/security/secret.ts'

const keyOf = (id: string, byte: number) => ({
  id,
  key: new Secret(Buffer.alloc(32, byte).toString('base64')),
})
const place: SealPlace = {table: 'connections', row: 'r1', purpose: 'api-key'}
const sealer = createSealer([keyOf('k1', 1)])

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof SealError) return error.code
    throw error
  }
  return 'opened'
}

function bytesOf(sealed: string): Buffer {
  return Buffer.from(sealed.slice(sealed.indexOf(':') + 1), 'base64')
}

test('what is sealed opens again, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), (text) => {
      expect(sealer.open(sealer.seal(text, place), place)).toBe(text)
    }),
  )
})

test('the same text never seals the same way twice, and does not show', () => {
  const one = sealer.seal('a secret', place)
  expect(sealer.seal('a secret', place)).not.toBe(one)
  expect(one.startsWith('k1:')).toBe(true)
  expect(bytesOf(one).toString('latin1')).not.toContain('secret')
})

test('it is twelve bytes drawn by lot, a tag of sixteen, and as many as the text has', () => {
  expect(bytesOf(sealer.seal('12345', place))).toHaveLength(12 + 16 + 5)
})

test('what names no key is of no key, whatever it begins with', () => {
  const named = createSealer([keyOf('k', 1)])
  expect(codeOf(() => named.open(`k${'A'.repeat(60)}`, place))).toBe('unknown-key')
})

test.each<[string, Partial<SealPlace>]>([
  ['table', {table: 'installs'}],
  ['row', {row: 'r2'}],
  ['purpose', {purpose: 'signing'}],
])('a value moved to another %s does not open', (_name, change) => {
  const sealed = sealer.seal('a secret', place)
  expect(codeOf(() => sealer.open(sealed, {...place, ...change}))).toBe('broken')
})

test('the parts of a place do not run together', () => {
  const sealed = sealer.seal('x', {table: 'a', row: 'bc', purpose: 'd'})
  expect(codeOf(() => sealer.open(sealed, {table: 'ab', row: 'c', purpose: 'd'}))).toBe('broken')
})

test('no bit can be turned', () => {
  const sealed = sealer.seal('short', place)
  const bytes = bytesOf(sealed)
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const turned = Buffer.from(bytes)
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(codeOf(() => sealer.open(`k1:${turned.toString('base64')}`, place))).toBe('broken')
  }
})

test.each(['', 'short', 'a much longer text than one block of the cipher has'])(
  'nothing can be cut off or added: %j',
  (text) => {
    const bytes = bytesOf(sealer.seal(text, place))
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.subarray(0, length).toString('base64')
      expect(codeOf(() => sealer.open(`k1:${cut}`, place))).toBe('broken')
    }
    const more = Buffer.concat([bytes, Buffer.from([0])]).toString('base64')
    expect(codeOf(() => sealer.open(`k1:${more}`, place))).toBe('broken')
  },
)

describe('keys', () => {
  test('the first one seals, every one opens', () => {
    const old = sealer.seal('a secret', place)
    const rotated = createSealer([keyOf('k2', 2), keyOf('k1', 1)])
    expect(rotated.open(old, place)).toBe('a secret')
    expect(rotated.seal('x', place).startsWith('k2:')).toBe(true)
  })

  test('one that is not known is named, and never shown', () => {
    const sealed = createSealer([keyOf('k9', 9)]).seal('a secret', place)
    expect(codeOf(() => sealer.open(sealed, place))).toBe('unknown-key')
    expect(() => sealer.open(sealed, place)).toThrow('"k9"')
    expect(codeOf(() => sealer.open('no colon', place))).toBe('unknown-key')
  })

  test('another one under the same id opens nothing', () => {
    const sealed = createSealer([keyOf('k1', 7)]).seal('a secret', place)
    expect(codeOf(() => sealer.open(sealed, place))).toBe('broken')
  })

  test('without any, nothing is sealed', () => {
    expect(codeOf(() => createSealer([]).seal('x', place))).toBe('no-key')
  })
})
