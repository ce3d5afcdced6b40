import {createHmac} from 'node:crypto'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  type HookClaim,
  isClaimed,
  isGenuine,
  mayBeGenuine,
} from '../../../src/features/hooks/secret-check.ts'
import {Secret} from '../../../src/security/secret.ts'

const SECRET = 'sk_hook_of-this-test'
const secrets = [new Secret(SECRET), new Secret('the former one')]
const NOW_MS = 1_700_000_000_000
const none: HookClaim = {authorizations: [], timestamps: [], signatures: [], githubSignatures: []}

const hmac = (by: string, text: string): string =>
  createHmac('sha256', by).update(text).digest('hex')

const keysOf = (...idempotencyKeys: string[]) => ({idempotencyKeys})

/** What the second scheme is said to be over, in docs/hooks.md. */
function signedWithKey(body: string, key: string, by = SECRET): HookClaim {
  const timestamp = String(NOW_MS / 1000)
  const signature = `v2=${hmac(by, ['v2', timestamp, key, body].join('\n'))}`
  return {...none, timestamps: [timestamp], signatures: [signature]}
}

function signed(body: string, {by = SECRET, ageSeconds = 0} = {}): HookClaim {
  const timestamp = String(NOW_MS / 1000 - ageSeconds)
  const signature = `v1=${hmac(by, `v1:${timestamp}:${body}`)}`
  return {...none, timestamps: [timestamp], signatures: [signature]}
}
const github = (body: string, by = SECRET): HookClaim => ({
  ...none,
  githubSignatures: [`sha256=${hmac(by, body)}`],
})
const bearer = (token: string): HookClaim => ({...none, authorizations: [`Bearer ${token}`]})
const judge = (claim: HookClaim, body = '{}', keys = keysOf()): boolean =>
  isGenuine({claim, keys, body: Buffer.from(body)}, secrets, NOW_MS)

describe('a delivery is genuine', () => {
  test('by its token, by our signature and by GitHub’s, with each secret that counts', () => {
    for (const by of [SECRET]) {
      expect(judge(bearer(by))).toBe(true)
    }
    for (const by of [SECRET, 'the former one']) {
      expect(judge(signed('{}', {by}))).toBe(true)
      expect(judge(github('{}', by))).toBe(true)
    }
  })

  test('within five minutes to both sides', () => {
    for (const ageSeconds of [-300, 300]) expect(judge(signed('{}', {ageSeconds}))).toBe(true)
    for (const ageSeconds of [-301, 301]) expect(judge(signed('{}', {ageSeconds}))).toBe(false)
  })

  test('by nothing else', () => {
    const right = signed('{}')
    const wrong: readonly HookClaim[] = [
      none,
      bearer(''),
      bearer(`${SECRET}x`),
      {...none, authorizations: [SECRET]},
      {...none, authorizations: [`Basic ${SECRET}`]},
      {...none, authorizations: [`Bearer ${SECRET}`, `Bearer ${SECRET}`]},
      {...right, timestamps: []},
      {...right, timestamps: [...right.timestamps, ...right.timestamps]},
      {...right, signatures: right.signatures.map((one) => one.toUpperCase())},
      {...right, signatures: right.signatures.map((one) => one.replace('v1', 'v0'))},
      {...right, signatures: [...right.signatures, ...right.signatures]},
      // Each way that is taken has to hold, also beside a right one.
      {...right, ...{authorizations: ['Bearer wrong']}},
      {...right, ...{githubSignatures: [`sha256=${'0'.repeat(64)}`]}},
      signed('{}', {by: 'another'}),
      github('{} '),
    ]
    for (const claim of wrong) expect([claim, judge(claim)]).toEqual([claim, false])
    expect(isClaimed(none)).toBe(false)
  })

  test('by a signature over its key as well, with that key and no other', () => {
    for (const by of [SECRET, 'the former one']) {
      expect(judge(signedWithKey('{}', 'mine', by), '{}', keysOf('mine'))).toBe(true)
    }
    const claim = signedWithKey('{}', 'mine')
    const late = {...claim, timestamps: [String(NOW_MS / 1000 - 301)]}
    const wrong = [
      [claim, '{}', keysOf('other')],
      [claim, '{}', keysOf()],
      [claim, '{}', keysOf('mine', 'mine')],
      [claim, '{} ', keysOf('mine')],
      [late, '{}', keysOf('mine')],
      [{...claim, timestamps: []}, '{}', keysOf('mine')],
      [signedWithKey('{}', 'mine', 'another'), '{}', keysOf('mine')],
      [signedWithKey('{}', ''), '{}', keysOf()],
      // Neither scheme's signature is one of the other's.
      [{...claim, signatures: claim.signatures.map((one) => one.replace('v2', 'v1'))}, '{}'],
      [
        {
          ...signed('{}'),
          signatures: signed('{}').signatures.map((one) => one.replace('v1', 'v2')),
        },
        '{}',
        keysOf('mine'),
      ],
    ] as const
    for (const [index, [taken, body, keys]] of wrong.entries()) {
      expect([index, judge(taken, body, keys)]).toEqual([index, false])
    }
  })

  test('by no part of its key read as its body, or the other way round', () => {
    const printable = fc.string({minLength: 1, unit: 'grapheme-ascii'})
    fc.assert(
      fc.property(printable, printable, fc.nat(), (key, body, at) => {
        const whole = `${key}${body}`
        const cut = at % whole.length
        const [other, rest] = [whole.slice(0, cut), whole.slice(cut)]
        return judge(signedWithKey(body, key), rest, keysOf(other)) === (other === key)
      }),
    )
  })

  test('only if it may be, as far as can be told without the body', () => {
    for (const claim of [bearer(SECRET), signed('{}'), github('{}')]) {
      expect([judge(claim), mayBeGenuine(claim, secrets)]).toEqual([true, true])
    }
    // A signature is not known for wrong before the body is there.
    expect(mayBeGenuine(github('{}', 'another'), secrets)).toBe(true)
    expect(mayBeGenuine({...github('{}'), authorizations: ['Bearer wrong']}, secrets)).toBe(false)
    expect(mayBeGenuine(bearer(`${SECRET}x`), secrets)).toBe(false)
  })

  test('by no header that anybody could guess', () => {
    const header = fc.array(fc.string(), {maxLength: 2})
    const claims = fc.record({
      ...{authorizations: header, timestamps: header, signatures: header, githubSignatures: header},
    })
    fc.assert(fc.property(claims, fc.string(), (claim, body) => !judge(claim, body)))
    fc.assert(
      fc.property(claims, fc.string(), header, (claim, body, keys) => {
        return !judge(claim, body, keysOf(...keys))
      }),
    )
  })
})
