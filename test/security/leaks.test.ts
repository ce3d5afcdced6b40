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
  ])('go: %s', (text, left) => {
    expect(clean(text)).toBe(left)
  })

  test.each([
    'the key_results_of_the_third_quarter are in key_results_2026.csv',
    'rename api_gateway_request_handler to token_bucket_for_requests',
    'SLACK_BOT_TOKEN=xoxb-your-token-goes-here',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke project_web',
    'Bearer tokens and API keys are documented in the handbook of the platform',
  ])('and words do not: %s', (text) => {
    expect(clean(text)).toBe(text)
  })

  test('go from all texts of a delivery, and what Slack needs stays', () => {
    const key = 'key_human_Zq8Lm3Rt9Xw2Vb7Nc4Kd1Hf6'
    const body = {event: {text: key, blocks: [{elements: [{text: `a ${key}`}]}]}, response_url: key}
    expect(cleanAll(body)).toEqual({
      event: {text: REMOVED, blocks: [{elements: [{text: `a ${REMOVED}`}]}]},
      response_url: key,
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
})
