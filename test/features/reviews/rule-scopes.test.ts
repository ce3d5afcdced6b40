import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readRuleFile, readScopes} from '../../../src/features/reviews/rules.ts'

test('scopes are one repository a line, with its paths', () => {
  expect(readScopes('acme/web: src/**, test/**\n\n  acme/api \nacme/docs:')).toEqual([
    {repo: 'acme/web', paths: ['src/**', 'test/**']},
    {repo: 'acme/api', paths: []},
    {repo: 'acme/docs', paths: []},
  ])
  expect(readScopes(' \n')).toEqual([])
})

test('what is said of one repository twice holds together, and as a whole once it does so alone', () => {
  expect(readScopes('acme/web: a\nAcme/Web: b, a')).toEqual([{repo: 'acme/web', paths: ['a', 'b']}])
  expect(readScopes('acme/web: a\nacme/web')).toEqual([{repo: 'acme/web', paths: []}])
  expect(readScopes('acme/web\nacme/web: a')).toEqual([{repo: 'acme/web', paths: []}])
})

test('the line that is none is named', () => {
  expect(readScopes('acme/web: a\nacme: b')).toEqual({wrong: 'acme: b'})
  expect(readScopes('acme/web src/**')).toEqual({wrong: 'acme/web src/**'})
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), (said) => {
      const read = readScopes(said)
      expect(Array.isArray(read) || said.includes(read.wrong)).toBe(true)
    }),
  )
})

test('a file is in a repository', () => {
  expect(readRuleFile(' acme/web: /docs/REVIEW.md ')).toEqual({
    ...{repo: 'acme/web', path: 'docs/REVIEW.md'},
  })
  for (const said of ['', 'acme/web', 'acme/web:', 'docs/REVIEW.md', 'web:docs']) {
    expect(readRuleFile(said)).toBeUndefined()
  }
})
