import {check} from 'recheck'
import {expect, test, vi} from 'vitest'
import {readRegularExpressions} from './regular-expressions.ts'

// Some take the detector seconds, and minutes where it has to do without its program for this machine.
vi.setConfig({testTimeout: 900_000})

const BOUNDED = 'it is tried on the last 201 characters of a text alone'

/** What the detector can't know, by the expression as it is written. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '/(?<![a-z])(?:https?:\\/\\/|www\\.)[^\\s<]*$/i': BOUNDED,
  '/[`*_~[\\]!\\\\]+$/': BOUNDED,
  [String.raw`/^\]\(\s*(?:<[^<>\n]*>?|(?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\])*\))*(?:\((?:\\\S|[^\s()\\])*)?\\?)(?:\s+(?:"[^"]*"?|'[^']*'?|\([^()]*\)?)?)?\s*$/`]:
    BOUNDED,
  [String.raw`/^\p{RGI_Emoji}$/v`]: 'the detector knows no sets of strings; nothing in it repeats',
}

/** So many characters are read at most in one attack: enough to tell a square from a line. */
const DETECTOR = {timeout: 300_000, attackLimit: 20_000_000}

async function findSlow(expressions: ReturnType<typeof readRegularExpressions>): Promise<string[]> {
  const slow: string[] = []
  for (const {literal, source, flags, places} of expressions) {
    const {status} = await check(source, flags, DETECTOR)
    if (status !== 'safe') slow.push(`${literal} is ${status}: ${places.join(', ')}`)
  }
  return slow
}

test('the detector finds what is slow', async () => {
  const source = String.raw`^\s*(?:\x60*|~*)\s*$`
  const slow = await findSlow([{literal: 'blanks', source, flags: '', places: ['here']}])
  expect(slow).toEqual(['blanks is vulnerable: here'])
})

test('no regular expression takes a time that grows faster than its text', async () => {
  const expressions = readRegularExpressions()
  expect(expressions.length).toBeGreaterThan(200)
  expect(await findSlow(expressions.filter(({literal}) => !(literal in EXCEPTIONS)))).toEqual([])
})

test('each exception is still one', () => {
  const literals = new Set(readRegularExpressions().map(({literal}) => literal))
  expect(Object.keys(EXCEPTIONS).filter((literal) => !literals.has(literal))).toEqual([])
})
