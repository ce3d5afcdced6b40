import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {STATES} from '../../../../src/features/browse/find/states.ts'
import {readSought} from '../../../../src/features/browse/find/request.ts'
import {
  type FindPlace,
  MAX_VALUE,
  readFindValue,
  toFindValue,
} from '../../../../src/features/browse/find/views/value.ts'

const sought = fc.record(
  {
    words: fc.string({maxLength: 150}),
    state: fc.constantFrom(...STATES),
    by: fc.string({maxLength: 120}),
    repo: fc.string({maxLength: 120}),
    sinceMs: fc.integer({min: 0}),
    untilMs: fc.integer({min: 0}),
  },
  {requiredKeys: ['words']},
)
const mark = fc.stringMatching(/^[\w-]{5}$/)
const place: fc.Arbitrary<FindPlace> = fc.oneof(
  fc.constant({at: 'start' as const}),
  fc.record({
    at: fc.constant('ours' as const),
    start: fc.record({madeAtMs: fc.nat(), id: fc.stringMatching(/^[\w-]{1,30}$/)}),
  }),
  fc.record({at: fc.constant('kept' as const), key: fc.uuid()}),
  fc.record({
    at: fc.constant('platform' as const),
    reached: fc.record({
      list: fc.nat(3),
      cursor: fc.option(fc.string(), {nil: undefined}),
      looked: fc.nat(),
      shown: fc.array(mark, {maxLength: 20}),
      isServed: fc.boolean(),
      isCovered: fc.boolean(),
    }),
  }),
)

describe('what the button of a search bears', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(sought, place, (what, where) => {
        expect(readFindValue(toFindValue(what, where))).toEqual({sought: what, place: where})
      }),
    )
  })

  test('fits a button, where nothing of the platform’s stands in it', () => {
    const long = `${'"\\'.repeat(80)} by='${'"\\'.repeat(70)}' repo='${'"\\'.repeat(70)}' state=ready`
    const found = readSought(`${long} since=2026-10-01 until=2026-10-02`, Date.now())
    if ('wrong' in found) throw new Error(`This was wrong: ${found.wrong}`)
    const key = crypto.randomUUID()
    expect(toFindValue(found, {at: 'kept', key}).length).toBeLessThanOrEqual(MAX_VALUE)
  })

  test('is read of what an earlier version wrote', () => {
    const earlier = {words: 'login bug'}
    const at = (value: string) => readFindValue(value)
    expect(at('s.login bug')).toEqual({sought: earlier, place: {at: 'start'}})
    const start = {madeAtMs: 12, id: 'abc'}
    expect(at('o.12.abc.login bug')).toEqual({sought: earlier, place: {at: 'ours', start}})
    expect(at('p.10.login bug')).toEqual({sought: earlier, place: {at: 'lost'}})
  })

  test('is nothing, where it is anything else', () => {
    for (const value of [
      '',
      'x',
      'f.',
      'f.{',
      'f.{}',
      'f.{"w":1}',
      'f.{"w":"x","s":"odd"}',
      's.',
    ]) {
      expect(readFindValue(value)).toBeUndefined()
    }
    fc.assert(fc.property(fc.string(), (value) => void readFindValue(`f.${value}`)))
  })
})
