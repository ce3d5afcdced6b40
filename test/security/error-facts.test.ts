import {describe, expect, test} from 'vitest'
import {factsOf} from '../../src/security/error-facts.ts'

/** An error with frames of ours, and whatever else somebody put on it. */
function errorWith(fields: object, frames: readonly string[] = []): Error {
  const error = Object.assign(new Error('the words of somebody'), fields)
  error.stack = `${error.name}: ${error.message}${frames.map((at) => `\n    at ${at}`).join('')}`
  return error
}

test('words of the protocols are told, and nothing that may quote', () => {
  const fields = {
    ...{name: 'PlatformRefused', _tag: 'NotFound', status: 404, traceId: 'tr-1', code: 'ENOENT'},
    ...{hints: ['/blocks/0', 'what they wrote', 7], body: 'what was sent'},
  }
  expect(factsOf(errorWith(fields, ['one (a.ts:1:2)', 'b.ts:3:4']))).toEqual({
    ...{type: 'PlatformRefused', tag: 'NotFound', status: 404, trace: 'tr-1', code: 'ENOENT'},
    ...{hints: ['/blocks/0'], at: ['one (a.ts:1:2)', 'b.ts:3:4']},
  })
})

test('what is no such word is left out', () => {
  const fields = {name: 'two words', _tag: 'a\nline', status: '404', traceId: 1, hints: 'none'}
  expect(factsOf(errorWith(fields))).toEqual({type: 'Error'})
  expect(factsOf('the words of somebody')).toEqual({type: 'string'})
})

describe('where it was', () => {
  test('is told of the first dozen frames', () => {
    const frames = Array.from({length: 20}, (_, index) => `f${index}`)
    expect(factsOf(errorWith({}, frames)).at).toEqual(frames.slice(0, 12))
  })

  test('is not what the message says', () => {
    const error = new Error('lost\n    at the words of somebody')
    error.stack = `Error: ${error.message}\n    at ours`
    expect(factsOf(error).at).toEqual(['ours'])
    error.message = 'another one'
    expect(factsOf(error)).toEqual({type: 'Error'})
  })
})

test('causes are told four deep, without where they were', () => {
  const chain = Array.from({length: 6}).reduce<unknown>(
    (cause, _, index) => errorWith({name: `E${index}`, cause}, ['ours']),
    undefined,
  )
  const told = ['E4', 'E3', 'E2', 'E1'].reduceRight<object | undefined>(
    (cause, type) => ({type, ...(cause !== undefined && {cause})}),
    undefined,
  )
  expect(factsOf(chain)).toEqual({type: 'E5', at: ['ours'], cause: told})
})
