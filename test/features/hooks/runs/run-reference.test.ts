import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  referenceOf,
  referencesIn,
  withReference,
} from '../../../../src/features/hooks/runs/run-reference.ts'
import {Secret} from '../../../../src/security/secret.ts'

const bodyKey = new Secret(Buffer.alloc(32, 1).toString('base64'))

describe('a reference', () => {
  test('is the same for each try of a delivery, and another for every other', () => {
    const one = referenceOf({bodyKey}, 'k1')
    expect(one).toMatch(/^bosun-run:[\w-]{16}$/)
    expect(referenceOf({bodyKey}, 'k1')).toBe(one)
    expect(referenceOf({bodyKey}, 'k2')).not.toBe(one)
    const other = new Secret(Buffer.alloc(32, 2).toString('base64'))
    expect(referenceOf({bodyKey: other}, 'k1')).not.toBe(one)
  })

  test('is found wherever it stands, each once', () => {
    const one = referenceOf({bodyKey}, 'k1')
    const quoted = `Look at this.\n\n\`\`\`json\n${withReference('{"a":1}', one)}\n\`\`\` ${one}`
    expect(referencesIn(quoted)).toEqual([one])
    expect(referencesIn('bosun-run:short')).toEqual([])
  })

  test('is one more field of an object, and changes nothing else of it', () => {
    const one = referenceOf({bodyKey}, 'k1')
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('', ' ', '\n '),
        (value, blank) => {
          const json = `${blank}${JSON.stringify(value, undefined, blank)}${blank}`
          const marked = withReference(json, one)
          expect(JSON.parse(marked)).toEqual({...(JSON.parse(json) as object), bosunRun: one})
          expect(marked.startsWith(json.trimEnd().slice(0, -1))).toBe(true)
        },
      ),
    )
    // Numbers that no program can hold, and halves of characters, stay as they came.
    const odd = '{"big": 12345678901234567890, "é": "\\ud800"}'
    expect(withReference(odd, one)).toBe(`${odd.slice(0, -1)},"bosunRun":"${one}"}`)
    expect(withReference('{}', one)).toBe(`{"bosunRun":"${one}"}`)
  })

  test('stays out of what would become too large by it', () => {
    const large = `{"a":"${'x'.repeat(1_048_540)}"}`
    expect(withReference(large, 'bosun-run:0123456789abcdef')).toBe(large)
  })
})
