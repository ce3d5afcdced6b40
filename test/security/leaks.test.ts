import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {REMOVED, createLeaks} from '../../src/security/leaks.ts'
import {Secret} from '../../src/security/secret.ts'

const leaks = createLeaks()
const {clean, cleanAll} = leaks
leaks.learn(new Secret('an-odd-key-of-ours'))

describe('keys and tokens in what people write', () => {
  test.each([
    ['key_human_Zq8Lm3Rt9Xw2Vb7Nc4Kd1Hf6', REMOVED],
    ['use sk-proj-9fK2mQ7xT4bW8vZ1 now', `use ${REMOVED} now`],
    ['xoxb-123456789012-1234567890123-AbCdEf', REMOVED],
    ['xoxe.xoxp-1-Mi0yLTEyMzQ1Njc4OTAxMi', REMOVED],
    ['(xapp-1-A012ABC-987654321098-abcdef)', `(${REMOVED})`],
    ['API key: aB3dE6gH9jK2mN5pQ8sT1v', `API key: ${REMOVED}`],
    ['Authorization: Bearer aB3dE6gH9jK2mN5pQ8sT', `Authorization: Bearer ${REMOVED}`],
    ['it is an-odd-key-of-ours!', `it is ${REMOVED}!`],
    ['pk_aBcDeFgHiJkLmNoPqRsT', REMOVED],
    ['sk_aaaaaaaaB1cD22222', REMOVED],
  ])('go: %s', (text, left) => {
    expect(clean(text)).toBe(left)
  })

  test.each([
    'the key_results_of_the_third_quarter are in key_results_2026.csv',
    'rename api_gateway_request_handler to token_bucket_for_requests',
    'SLACK_BOT_TOKEN=xoxb-your-token-goes-here',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke project_web',
    'sk_aaaaaaaaaB1cDDDD has fewer changes, API key: your-own-key-goes-in-here',
    'Bearer tokens and API keys are documented in the handbook of the platform',
  ])('and words do not: %s', (text) => {
    expect(clean(text)).toBe(text)
  })

  test('go from all texts of a delivery, and what Slack needs stays', () => {
    const key = 'key_human_Zq8Lm3Rt9Xw2Vb7Nc4Kd1Hf6'
    const event = {text: key, blocks: [{elements: [{text: `a ${key}`}]}], count: 3, none: null}
    const needed = {response_url: key, trigger_id: key, private_metadata: key}
    expect(cleanAll({event, ...needed})).toEqual({
      event: {
        ...{text: REMOVED, blocks: [{elements: [{text: `a ${REMOVED}`}]}], count: 3, none: null},
      },
      ...needed,
    })
  })

  test('go wherever they stand', () => {
    const key = 'key_service_Zq8Lm3Rt9Xw2Vb7Nc4Kd1Hf6'
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, behind) => {
        expect(clean(`${before} ${key} ${behind}`)).not.toContain(key)
      }),
    )
  })
})

test('a value that is nested without end is cleaned as far as anybody nests', () => {
  const deep = JSON.parse(
    `${'['.repeat(50_000)}"xoxb-123456789012-abc"${']'.repeat(50_000)}`,
  ) as unknown
  expect(JSON.stringify(cleanAll(deep))).toBe(`${'['.repeat(500)}null${']'.repeat(500)}`)
  const named = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown
  expect(JSON.stringify(cleanAll(named))).toBe(`${'{"a":'.repeat(500)}null${'}'.repeat(500)}`)
})

test('a text that is a part of a known secret and nothing else does not stay either', () => {
  const all = createLeaks()
  all.learn(new Secret('key_human_hY0vLSr3tb_DCYu3m1QCHEpp'))
  const part = 'u3m1QCHEpp'
  expect([all.clean(part), all.omit(part), all.hide(part, REMOVED)]).toEqual(Array(3).fill(REMOVED))
})

test('what is kept loses known secrets alone, and what was sealed stays as it is', () => {
  const {omit} = leaks
  expect(omit('it is an-odd-key-of-ours!')).toBe(`it is ${REMOVED}!`)
  expect(omit('Bearer aB3dE6gH9jK2mN5pQ8sT')).toBe('Bearer aB3dE6gH9jK2mN5pQ8sT')
  const sealed = `k1:${Buffer.alloc(30_000, 'an-odd-key-of-ours').toString('base64')}`
  expect(omit(sealed)).toBe(sealed)
})
