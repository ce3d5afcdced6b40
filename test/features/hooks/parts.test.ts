import {createSealer} from '../../../src/security/seal.ts'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createHookRates, hookKeyOf, readHookBody} from '../../../src/features/hooks/hook-intake.ts'
import {hookBodies} from '../../../src/features/hooks/sealed-bodies.ts'
import {readCron} from '../../../src/features/hooks/cron.ts'
import {Secret} from '../../../src/security/secret.ts'

const read = (text: string) => readHookBody(Buffer.from(text))

describe('the body of a delivery', () => {
  test('is any JSON object, and stays as it came', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({maxDepth: 20})), (value) => {
        const json = JSON.stringify(value, undefined, 2)
        expect(read(json)).toEqual({json})
      }),
    )
  })

  test('is nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const found = readHookBody(bytes)
        if ('json' in found) expect(JSON.parse(found.json)).toBeTypeOf('object')
      }),
    )
    for (const text of ['1', '"x"', 'null', '[]', '[{}]', 'true']) {
      expect(read(text)).toEqual({problem: 'no_object'})
    }
    for (const text of ['', '{', '{}x', '{"a":NaN}', "{'a':1}"]) {
      expect(read(text)).toEqual({problem: 'no_json'})
    }
    expect(readHookBody(Uint8Array.from([0x7b, 0xff]))).toEqual({problem: 'no_utf8'})
  })

  test('is 64 levels deep at most; what stands in a string is no level', () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect(read(deep(64))).toEqual({json: deep(64)})
    expect(read(deep(65))).toEqual({problem: 'too_deep'})
    expect(read('['.repeat(1_000_000))).toEqual({problem: 'too_deep'})
    const quoted = JSON.stringify({a: '[{\\"'.repeat(100), '[[': 1})
    expect(read(quoted)).toEqual({json: quoted})
  })

  test('is sealed with the key of its hook, for that hook alone', () => {
    const bodyKey = new Secret(Buffer.alloc(32, 1).toString('base64'))
    const sealed = hookBodies('a', {bodyKey}).seal('{"secretly":1}', 'k1')
    expect(sealed).not.toContain('secretly')
    expect(hookBodies('a', {bodyKey}).open(sealed, 'k1')).toBe('{"secretly":1}')
    expect(() => hookBodies('b', {bodyKey}).open(sealed, 'k1')).toThrow()
    // … and of no other delivery of the same hook.
    expect(() => hookBodies('a', {bodyKey}).open(sealed, 'k2')).toThrow()
    // One that was sealed before deliveries were named.
    const former = createSealer([{id: 'hook', key: bodyKey}])
    const old = former.seal('{"old":1}', {table: 'deliveries', row: 'a', purpose: 'body'})
    expect(hookBodies('a', {bodyKey}).open(old, 'k1')).toBe('{"old":1}')
    expect(() => hookBodies('b', {bodyKey}).open(old, 'k1')).toThrow()
  })
})

describe('the key of a delivery', () => {
  const none = {idempotencyKeys: [], githubDeliveries: []}
  const body = Buffer.from('{}')

  test('is the sender’s, else GitHub’s, else the body’s', () => {
    const both = {idempotencyKeys: ['mine'], githubDeliveries: ['theirs']}
    expect(hookKeyOf(both, body)).toBe('mine')
    expect(hookKeyOf({...both, idempotencyKeys: []}, body)).toBe('theirs')
    expect(hookKeyOf(none, body)).toMatch(/^body-[0-9a-f]{64}$/)
    expect(hookKeyOf(none, body)).not.toBe(hookKeyOf(none, Buffer.from('{} ')))
  })

  test('is one, printable, and no longer than the platform takes it', () => {
    for (const key of ['', ' x', 'x ', 'a\nb', 'é', 'x'.repeat(256)]) {
      expect(hookKeyOf({...none, idempotencyKeys: [key]}, body)).toBeUndefined()
    }
    expect(hookKeyOf({...none, idempotencyKeys: ['a', 'a']}, body)).toBeUndefined()
    const long = `${'x y '.repeat(63)}xyz`
    expect(hookKeyOf({...none, idempotencyKeys: [long]}, body)).toBe(long)
  })
})

test('a hook may be used so often in a minute, and each has its own', () => {
  let nowMs = 0
  const rates = createHookRates(60, () => nowMs)
  const many = (hook: string) => Array.from({length: 60}, () => rates.take(hook))
  expect(many('a').every((wait) => wait === undefined)).toBe(true)
  expect(rates.take('a')).toBe(1)
  expect(rates.take('b')).toBeUndefined()
  nowMs = 1000
  expect([rates.take('a'), rates.take('a')]).toEqual([undefined, 1])
  nowMs = 500 // the clock was set back
  expect(rates.take('a')).toBe(1)
})

describe('a schedule', () => {
  const NOW_MS = Date.UTC(2026, 0, 1, 12)

  test('has five fields, in a time zone', () => {
    expect(readCron('0 9 * * *', 'UTC', NOW_MS)).toEqual({nextMs: Date.UTC(2026, 0, 2, 9)})
    const berlin = readCron('0 9 * * *', 'Europe/Berlin', NOW_MS)
    expect(berlin).toEqual({nextMs: Date.UTC(2026, 0, 2, 8)})
    expect(readCron('* * * *', 'UTC', NOW_MS)).toEqual({problem: 'fields'})
    expect(readCron('0 0 9 * * *', 'UTC', NOW_MS)).toEqual({problem: 'fields'})
    expect(readCron('@daily', 'UTC', NOW_MS)).toEqual({problem: 'fields'})
    expect(readCron('0 9 * * *', 'Nowhere/Land', NOW_MS)).toEqual({problem: 'zone'})
    expect(readCron('0 0 30 2 *', 'UTC', NOW_MS)).toEqual({problem: 'never'})
  })

  test.each([
    ['61 9 * * *', '61', 'minute'],
    ['0 25 * * *', '25', 'hour'],
    ['0 9 0 * *', '0', 'day'],
    ['0 9 1 13 *', '13', 'month'],
    ['0 9 * * FOO', 'FOO', 'weekday'],
    ['0 9,, * 13 *', '9,,', 'hour'],
  ])('%s is wrong by its first word that is', (cron, word, field) => {
    expect(readCron(cron, 'UTC', NOW_MS)).toEqual({problem: 'wrong', word, field})
  })

  test('may say anything', () => {
    const field = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789*/,-?LW#MONJAN ')),
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.array(field, {minLength: 5, maxLength: 5}), fc.string(), (fields, zone) => {
        const found = readCron(fields.join(' '), zone, NOW_MS)
        expect('nextMs' in found ? found.nextMs > NOW_MS : found.problem).toBeTruthy()
      }),
    )
  })
})
