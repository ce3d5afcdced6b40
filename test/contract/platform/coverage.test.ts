import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {follow} from '../../../src/platform/stream/reconnecting.ts'
import {deliverWebhook} from '../../../src/platform/endpoints/webhook.ts'
import {sharedContract} from './contract.ts'
import {COVERAGE} from './coverage.ts'
import {RULES} from './rules.ts'

const contract = await sharedContract()

const FOLDER = import.meta.dirname
const THIS_FILE = 'coverage.test.ts'

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

test('every route of the server is in the table, and every row of the table is served', () => {
  const {routes, originRoutes} = contract.platform
  const served = [...routes, ...originRoutes].map(({method, path}) => `${method} ${path}`)
  const listed = COVERAGE.map(({method, path}) => `${method} ${path}`)
  expect(sorted(served)).toEqual(sorted(listed))
  expect(listed).toHaveLength(new Set(listed).size)
})

test('every method of the client is in the table, and every method of the table is there', () => {
  const listed = COVERAGE.flatMap(({client}) => (typeof client === 'string' ? [client] : []))
  expect(sorted(Object.keys(contract.client()))).toEqual(sorted(listed))
})

test('every function that the table names is there, and is named', () => {
  const listed = COVERAGE.flatMap(({client}) =>
    typeof client === 'object' && 'function' in client ? [client.function] : [],
  )
  expect(sorted([follow, deliverWebhook].map(({name}) => name))).toEqual(sorted(listed))
})

test('every row of the table names rules that exist', () => {
  const unknown = COVERAGE.filter(
    ({rules}) => rules.length === 0 || rules.some((rule) => !Object.hasOwn(RULES, rule)),
  )
  expect(unknown).toEqual([])
})

/** The names of all tests of the contract. */
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.test.ts') && file !== THIS_FILE)
  .flatMap((file) => namesIn(file, readFileSync(join(FOLDER, file), 'utf8')))

test('every rule has a test that is named after it', () => {
  const tested = new Set(names.map(ruleOf))
  expect(Object.keys(RULES).filter((rule) => !tested.has(rule))).toEqual([])
})

test('every test is named after a rule', () => {
  expect(names.filter((name) => !Object.hasOwn(RULES, ruleOf(name)))).toEqual([])
})

/** A test's name is the first text behind `test(`, or behind the table of `test.each(…)(`. */
function namesIn(file: string, source: string): string[] {
  const found = source.matchAll(/^ *(?:test|.*\]\)|.*as const\))\(\s*(['"`])(.*?)\1/gm)
  const inFile = [...found].map(([, , name = '']) => name)
  const tests = source.match(/^ *test(?:\.each)?\(/gm) ?? []
  // A name that is not read would be a rule that nobody misses.
  if (tests.length !== inFile.length) throw new Error(`Not every test of ${file} has a plain name.`)
  return inFile
}

function ruleOf(name: string): string {
  return name.split(' ', 1)[0] ?? ''
}
