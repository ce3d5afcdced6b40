import {randomBytes} from 'node:crypto'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createLeaks} from '../../src/security/leaks.ts'
import {Secret} from '../../src/security/secret.ts'

const MARK = '[removed]'
const KEY = 'key_human_hY0vLSr3tb_DCYu3m1QCHEpp'

function hiding(...secrets: string[]): (text: string) => string {
  const leaks = createLeaks()
  for (const secret of secrets) leaks.learn(new Secret(secret))
  return (text) => leaks.hide(text, MARK)
}

const codes = Array.from(KEY).map((letter) => letter.charCodeAt(0))

describe('a known secret', () => {
  const hide = hiding(KEY)
  test.each([
    ['as it stands', KEY],
    ['in Markdown’s escapes', KEY.replaceAll('_', String.raw`\_`)],
    ['with emphasis in it', `${KEY.slice(0, 15)}**${KEY.slice(15)}`],
    ['with marks that do not show', Array.from(KEY).join('\u200b')],
    ['with direction marks', Array.from(KEY).join('\u202e')],
    ['with control marks', Array.from(KEY).join('\u0007')],
    ['with soft hyphens', Array.from(KEY).join('\u00ad')],
    ['in wide letters', KEY.replaceAll(/[a-z]/g, (it) => wide(it))],
    ['percent-encoded', codes.map((code) => `%${code.toString(16)}`).join('')],
    ['percent-encoded twice', codes.map((code) => `%25${code.toString(16)}`).join('')],
    ['as JSON may write it', codes.map((code) => String.raw`\u00${code.toString(16)}`).join('')],
    ['as numbers of HTML', codes.map((code) => `&#${code};`).join('')],
    ['as hex numbers of HTML', codes.map((code) => `&#x${code.toString(16)};`).join('')],
    ['with names of HTML', KEY.replaceAll('_', '&lowbar;')],
    ['without its front', KEY.slice(-14)],
    ['without its end', KEY.slice(0, 22)],
  ])('is hidden %s', (_how, written) => {
    const hidden = hide(`before ${written} behind`)
    // A mark that is passed over may be left.
    expect(hidden.replaceAll(/[_\u200b\u202e\u0007\u00ad]/g, '')).toBe(`before ${MARK} behind`)
  })

  test('is hidden in JSON in JSON', () => {
    const hidden = hide(JSON.stringify(JSON.stringify({said: `"${KEY}"\n`})))
    expect(hidden).not.toContain(KEY.slice(-12))
    expect(hidden).toContain(MARK)
  })

  test('is hidden in base64, wherever it begins', () => {
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const encoded = Buffer.from(`${before}${KEY}`).toString('base64')
      for (const written of [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')]) {
        const read = hide(written)
          .split(MARK)
          .map((part) => Buffer.from(part, 'base64').toString('latin1'))
        expect(read.every((part) => part.length <= before.length + 14)).toBe(true)
      }
    }
  })

  test('is hidden wherever it stands, and nothing else is', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), fc.string({unit: 'binary'}), (before, behind) => {
        const hidden = hide(`${before} ${KEY} ${behind}`)
        expect(hidden).not.toContain(KEY.slice(-10))
        expect(hide(`${before} and ${behind}`)).toBe(`${before} and ${behind}`)
      }),
    )
  })

  test('is hidden from the moment on that it is known', () => {
    const leaks = createLeaks()
    const later = `key_human_${randomBytes(18).toString('hex')}`
    expect(leaks.hide(later, MARK)).toBe(later)
    leaks.learn(new Secret(later))
    expect(leaks.hide(later, MARK)).toBe(MARK)
  })

  test('that comes and goes is forgotten after a thousand others, and one that is kept never', () => {
    const leaks = createLeaks()
    const tokens = Array.from({length: 1001}, () => randomBytes(24).toString('hex'))
    leaks.learn(new Secret(KEY))
    // It is forgotten, and what it has in common with the other one is not.
    leaks.learn(new Secret(`${KEY}aB3dE6`), 'passing')
    for (const token of tokens) leaks.learn(new Secret(token), 'passing')
    const [first = '', second = ''] = tokens
    expect(leaks.hide(first, MARK)).toBe(first)
    expect(leaks.hide(second, MARK)).toBe(MARK)
    expect(leaks.hide(KEY, MARK)).toBe(MARK)
  })

  test('that was kept comes and goes once another has taken its place, until it is kept again', () => {
    const leaks = createLeaks()
    const [old, again] = [new Secret(KEY), new Secret(`${KEY}aB3dE6`)]
    for (const secret of [old, again]) leaks.learn(secret)
    for (const secret of [old, again]) leaks.retire(secret)
    expect(leaks.hide(KEY, MARK)).toBe(MARK)
    leaks.learn(again)
    for (let count = 0; count < 1000; count += 1) {
      leaks.learn(new Secret(randomBytes(24).toString('hex')), 'passing')
    }
    expect(leaks.hide(again.reveal(), MARK)).toBe(MARK)
    leaks.learn(new Secret(randomBytes(24).toString('hex')), 'passing')
    leaks.retire(again)
    expect(leaks.hide(again.reveal(), MARK)).toBe(MARK)
  })

  test('that is not known does not become so by being replaced', () => {
    const leaks = createLeaks()
    leaks.retire(new Secret(KEY))
    expect(leaks.hide(KEY, MARK)).toBe(KEY)
  })

  test('of tokens that were renewed for years only the last thousand are known', () => {
    const leaks = createLeaks()
    const tokens = Array.from({length: 1010}, () => new Secret(randomBytes(24).toString('hex')))
    for (const [index, token] of tokens.entries()) {
      leaks.learn(token)
      const before = tokens[index - 1]
      if (before !== undefined) leaks.retire(before)
    }
    const known = tokens.filter((token) => leaks.hide(token.reveal(), MARK) === MARK)
    expect(known).toEqual(tokens.slice(-1001))
  })
})

/** Some of its parts look like words, some like what was drawn by lot. */
const MIXED = 'qqqqqqqxY1zzzzzzzqqqABCDefgh1234ijklmnopQRSTu5v6w7'

function changesIn(part: string): number {
  return part.match(/(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=\d)\D/g)?.length ?? 0
}

test('of a secret every part of ten letters is hidden that looks drawn by lot, and no other', () => {
  const hide = hiding(MIXED)
  for (let from = 0; from + 10 <= MIXED.length; from += 1) {
    const part = MIXED.slice(from, from + 10)
    const isHidden = changesIn(part) >= 3
    expect(hide(`(${part})`)).toBe(isHidden ? `(${MARK})` : `(${part})`)
    if (isHidden) expect(hide(part + part)).toBe(MARK + MARK)
    expect(hide(part.slice(1))).toBe(part.slice(1))
  }
})

test('three changes are enough for the parts of a secret', () => {
  expect(hiding('abcdefgh1234ABCDefghij')('(h1234ABCDe)')).toBe(`(${MARK})`)
  expect(hiding('abcdefgh1234ABCDEFGHIJ')('(h1234ABCDE)')).toBe('(h1234ABCDE)')
})

test('what stands in front counts for no part, and what is too short is a word', () => {
  const token = `xapp-1-A0B1C2D3E4F-1234567890123-${'a1B2c3D4e5F6'.repeat(5)}`
  const hide = hiding(token)
  const front = token.slice(0, 33)
  expect(hide(`${front}a1B2c3D4e`)).toBe(`${front}a1B2c3D4e`)
  expect(hide(`${front}a1B2c3D4e5`)).not.toContain('a1B2c3D4e5')
  expect(hiding('aB3dE6gH9jK')('aB3dE6gH9jK')).toBe('aB3dE6gH9jK')
  // One that is hardly more than its front is looked for as a whole.
  expect(hiding('xoxb-123456789012-aB3dE')('xoxb-123456789012-aB3dE')).toBe(MARK)
})

test('of a hundred that somebody is meant to see each is shown, and of more the last hundred', () => {
  const leaks = createLeaks()
  const secrets = Array.from({length: 101}, () => randomBytes(24).toString('hex'))
  const tickets = secrets.map((secret) => leaks.toShow(new Secret(secret)))
  const shown = tickets.map((ticket) => leaks.hide(ticket, MARK))
  expect(shown).toEqual([MARK, ...secrets.slice(1)])
})

test('a secret that looks like words is hidden as a whole alone', () => {
  const hide = hiding('local-signing-secret-of-ours')
  expect(hide('it is local-signing-secret-of-ours')).toBe(`it is ${MARK}`)
  expect(hide('a local signing secret is no secret of ours')).toContain('no secret of ours')
})

test('what everybody may know of a token stays: its kind, and the ids of Slack in it', () => {
  const token = `xapp-1-A0B1C2D3E4F-1234567890123-${randomBytes(32).toString('hex')}`
  const hide = hiding(token, 'https://example.com/webhooks/automations/AbCd1234EfGh5678')
  expect(hide('the app A0B1C2D3E4F')).toBe('the app A0B1C2D3E4F')
  expect(hide('https://example.com/webhooks/automations/…')).toContain('/webhooks/automations/…')
  expect(hide(token.slice(40))).toBe(MARK)
})

test('a secret that one person is meant to see goes out, and nothing else in that text does', () => {
  const leaks = createLeaks()
  leaks.learn(new Secret(KEY))
  const fresh = `sk_hook_${randomBytes(32).toString('base64url')}`
  const ticket = leaks.toShow(new Secret(fresh))
  expect(ticket).not.toContain(fresh.slice(-8))
  expect(leaks.hide(`Yours: ${ticket}, not ${KEY}, not ${fresh}`, MARK)).toBe(
    `Yours: ${fresh}, not ${MARK}, not ${MARK}`,
  )
  expect(leaks.hide('show-once-00000000-0000-0000-0000-000000000000', MARK)).toBe(MARK)
})

test.each([
  ['words', 'The quick brown fox jumps over 13 lazy dogs. '],
  ['lots', randomBytes(4000).toString('base64')],
  ['what keys begin with', 'key_human_'],
  ['escapes', '%25252525'],
  ['broken escapes', '&aaaaaaaaaaaaa'],
])('a thousand secrets cost a text of %s no more than one secret does', (_what, piece) => {
  const text = piece.repeat(Math.ceil(400_000 / piece.length))
  const secrets = Array.from(
    {length: 1000},
    () => `key_human_${randomBytes(18).toString('base64url')}`,
  )
  const [one, many] = [hiding(KEY), hiding(...secrets)]
  const bestOf = (hide: (text: string) => string): number =>
    Math.min(
      ...Array.from({length: 5}, () => {
        const startedMs = performance.now()
        hide(text)
        return performance.now() - startedMs
      }),
    )
  expect(bestOf(many) / bestOf(one)).toBeLessThan(8)
})

test.each([
  ['in parts', 'aBaBaBaBa_', (at: number) => `${'aB'.repeat(400)}${at}`],
  ['as a whole', 'B', (at: number) => `a${at}${'B'.repeat(998)}`],
])(
  'secrets that repeat themselves, as whoever enters a key may have them, cost a text little %s',
  (_, piece, secretOf) => {
    const text = piece.repeat(40_000 / piece.length)
    const alike = Array.from({length: 100}, (_unused, at) => secretOf(at))
    const [one, many] = [hiding(KEY), hiding(...alike, KEY)]
    const msOf = (hide: (text: string) => string): number => {
      // Of this thread alone: the machine may have other work to do.
      const before = process.threadCpuUsage()
      hide(text)
      const {user, system} = process.threadCpuUsage(before)
      return (user + system) / 1000
    }
    const oneMs = Math.max(1, msOf(one))
    expect(msOf(many) / oneMs).toBeLessThan(500)
    expect(many(`Mine: ${KEY}, ${alike[0]}.`)).toBe(`Mine: ${MARK}, ${MARK}.`)
  },
)

function wide(letter: string): string {
  return String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)
}
