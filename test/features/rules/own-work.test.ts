import fc from 'fast-check'
import {expect, test} from 'vitest'
import {namesIn} from '../../../src/features/rules/own-work.ts'
import type {RuleWork} from '../../../src/store/tables/rules/rule.ts'
import {ownWorkOf} from '../../support/worst-inputs.ts'

const workOf = (pullRequests: readonly string[], id = 'work'): RuleWork => ({
  ...{linkId: `link-${id}`, requestId: `slack:T1:C1:${id}`, threadId: `thread_${id}`},
  ...{slackThread: '1700000000.000100', pullRequests},
})

const parts = fc.constantFrom(
  ...[
    'acme/web',
    'acme/web#',
    'https://github.com/',
    'github.com/acme/web/pull/',
    'ACME/',
    '/pull/',
  ],
  ...['1', '12', '2', '#', '/', ' ', '"', 'x'],
)

test('a message names a pull request by its page or its short name, and not as the beginning of a longer number', () => {
  fc.assert(
    fc.property(fc.array(parts, {maxLength: 12}), fc.constantFrom(1, 12), (said, number) => {
      const text = said.join('')
      const names = [`github.com/acme/web/pull/${number}`, `acme/web#${number}`]
      const isNamed = names.some((name) => new RegExp(`${name}(?!\\d)`, 'i').test(text))
      const work = workOf([`https://github.com/acme/web/pull/${number}`])
      expect(namesIn(text)(work)).toBe(isNamed)
    }),
    {numRuns: 2000},
  )
})

test('nobody is held up by a number that each piece of work has and that a text repeats', () => {
  const works = Array.from({length: 5000}, (_, at) =>
    workOf([`https://github.com/acme/web-${at}/pull/7`], String(at)),
  )
  const read = (text: string): boolean => works.some(namesIn(text))
  for (const part of ['/7', '#7 ', 'b-1/pull/7 ', 'acme/web#7 ']) {
    const text = part.repeat(Math.ceil(100_000 / part.length))
    expect(ownWorkOf(read, text), part).toBeLessThan(2000)
  }
  expect(read('see acme/web-4999#7')).toBe(true)
})

test('nobody is held up by what an app writes, however much work its rules have begun', () => {
  const numbers = Array.from({length: 30}, (_, index) => index)
  const works = Array.from({length: 5000}, (_, at) =>
    workOf(
      numbers.map((index) => `https://github.com/acme/web/pull/${at * numbers.length + index}`),
      String(at),
    ),
  )
  const read = (text: string): boolean => works.some(namesIn(text))
  for (const part of [
    'https://github.com/acme/web/pull/x ',
    'acme/api#12 ',
    '/1/2/3/4/5#6',
    'slack:T',
  ]) {
    const text = part.repeat(Math.ceil(100_000 / part.length))
    expect(ownWorkOf(read, text), part).toBeLessThan(2000)
  }
  expect(read('see acme/web#149999')).toBe(true)
})
