import {format, inspect} from 'node:util'
import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'

const secret = new Secret('hunter2')

test.each<[string, () => string]>([
  ['String()', () => String(secret)],
  ['a template', () => `the key ${String(secret)}`],
  ['joining', () => [secret].join()],
  ['JSON', () => JSON.stringify({a: [secret]})],
  ['inspect', () => inspect({a: {b: {c: {secret}}}}, {depth: 9, showHidden: true, getters: true})],
  ['format', () => format('%s %o %O %j', secret, secret, secret, secret)],
  ['an error', () => inspect(new Error(`no: ${secret.toString()}`, {cause: {secret}}), {depth: 9})],
  ['its properties', () => JSON.stringify(Object.entries(secret))],
  ['a clone', () => JSON.stringify(structuredClone({secret}))],
])('%s does not show it', (_name, print) => {
  expect(print()).not.toContain('hunter2')
})

test('it shows as what it is', () => {
  const shown = [String(secret), JSON.stringify(secret), inspect(secret), inspect({secret})]
  expect(shown).toEqual(['[secret]', '"[secret]"', '[secret]', '{ secret: [secret] }'])
})

test('it tells who asks for it', () => {
  expect(secret.reveal()).toBe('hunter2')
})
