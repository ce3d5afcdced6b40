import {describe, expect, test} from 'vitest'
import {readToken, readWord} from '../../src/platform/unnamed.ts'

describe('a word is found', () => {
  const read = (answer: unknown) => readWord(answer, ['accepted', 'duplicate'], 'outcome')
  test.each<[string, unknown]>([
    ['bare', 'accepted'],
    ['in a field of any name', {what: 'accepted', id: 'x', at: 7}],
    ['in a field within', {delivery: {result: 'accepted'}}],
    ['in a list', {results: ['accepted']}],
    ['twice, when it is the same', {status: 'accepted', outcome: 'accepted'}],
    ['in the likely field, when there are several', {previous: 'duplicate', outcome: 'accepted'}],
  ])('%s', (_name, answer) => {
    expect(read(answer)).toBe('accepted')
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['another word', {outcome: 'Accepted!'}],
    ['a word within a sentence', {message: 'It was accepted.'}],
    ['the name of a field', {accepted: true}],
    ['several, of which none is likely', {a: 'accepted', b: 'duplicate'}],
    ['somebody’s content, far down', {a: {b: {c: {d: 'accepted'}}}}],
  ])('not in %s', (_name, answer) => {
    expect(read(answer)).toBeUndefined()
  })
})

describe('a token is found', () => {
  test.each<[string, unknown]>([
    ['bare', 'h.p.s'],
    ['by its name', {issuedAt: 'now', token: 'h.p.s'}],
    ['by its longer name', {issuedAt: 'now', sessionToken: 'h.p.s'}],
    ['by another spelling', {issuedAt: 'now', session_token: 'h.p.s'}],
    ['by a name that ends so', {issuedAt: 'now', identityToken: 'h.p.s'}],
    ['by its plain name first', {refreshToken: 'r', token: 'h.p.s'}],
    ['as the only text', {value: 'h.p.s', expiresInSeconds: 7}],
    ['within', {session: {token: 'h.p.s', id: 'x'}}],
  ])('%s', (_name, answer) => {
    expect(readToken(answer)).toBe('h.p.s')
  })

  test.each<[unknown]>([[undefined], [null], [7], [''], [{}], [{a: 'x', b: 'y'}], [{token: 7}]])(
    'not in %j',
    (answer) => {
      expect(readToken(answer)).toBeUndefined()
    },
  )
})
