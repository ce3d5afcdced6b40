import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readJudged} from './judge-expressions.ts'
import {EXCEPTIONS, findSlow, readRegularExpressions} from './regular-expressions.ts'

const all = readRegularExpressions()

test('the detector finds what is slow', async () => {
  const source = String.raw`^\s*(?:\x60*|~*)\s*$`
  const slow = await findSlow([{literal: 'blanks', source, flags: '', places: ['here']}])
  expect(slow).toEqual(['blanks is vulnerable: here'])
})

/** What the detector takes a minute for is written down, and some of it is judged anew each time. */
test('no regular expression takes a time that grows faster than its text', async () => {
  const expressions = all.filter(({literal}) => !(literal in EXCEPTIONS))
  expect(expressions.length).toBeGreaterThan(200)
  expect(
    expressions.map(({literal}) => literal),
    'after a change: node test/gate/judge-expressions.ts',
  ).toEqual(readJudged())
  const seed = Number(process.env['SEED'] ?? 1)
  const some = fc.sample(fc.constantFrom(...expressions), {seed, numRuns: 10})
  expect(await findSlow(some)).toEqual([])
})

test('each exception is still one', () => {
  const literals = new Set(all.map(({literal}) => literal))
  expect(Object.keys(EXCEPTIONS).filter((literal) => !literals.has(literal))).toEqual([])
})
