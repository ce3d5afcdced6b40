import {setTimeout as delay} from 'node:timers/promises'
import * as vitest from 'vitest'

/**
 * What tests import as `vitest`, for a process that runs single tests of them again and again: the same words, vitest's own
 * `expect`, and a tree of what was declared instead of a run.
 */

// What vitest's tools look up in the process that it runs tests in.
Object.defineProperty(globalThis, '__vitest_worker__', {
  value: {config: {fakeTimers: {loopLimit: 10_000, shouldClearNativeTimers: true}}},
})

type Hook = () => unknown
type Moment = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'

export interface Suite {
  readonly parent: Suite | undefined
  readonly hooks: Record<Moment, Hook[]>
  isSkipped: boolean
}

export interface Test {
  readonly suite: Suite
  readonly name: string
  readonly run: (context: unknown) => unknown
}

interface Scope {
  suite: Suite
  tests: Test[]
  /** Of the test that runs. */
  ends: Hook[] | undefined
}

let scope: Scope | undefined

function current(): Scope {
  if (scope === undefined) throw new Error('No file of tests is read and no test runs.')
  return scope
}

function newSuite(parent?: Suite): Suite {
  const hooks = {beforeAll: [], beforeEach: [], afterEach: [], afterAll: []}
  return {parent, hooks, isSkipped: parent?.isSkipped ?? false}
}

/** Reads a file of tests. */
export async function collect(read: () => Promise<unknown>): Promise<Test[]> {
  const reading: Scope = {suite: newSuite(), tests: [], ends: undefined}
  scope = reading
  await read()
  return reading.tests
}

/** What is declared while something runs belongs to it. */
export async function within<Value>(
  suite: Suite,
  ends: Hook[] | undefined,
  run: () => Promise<Value>,
): Promise<Value> {
  scope = {suite, tests: [], ends}
  return run()
}

type Named = (name: unknown, ...rest: unknown[]) => void
type Body = (...given: unknown[]) => unknown

function bodyOf(rest: readonly unknown[]): Body {
  const body = rest.find((one): one is Body => typeof one === 'function')
  if (body === undefined) throw new Error('A test without a body.')
  return body
}

function declareTest(name: unknown, rest: readonly unknown[], isSkipped: boolean): void {
  const {suite, tests} = current()
  if (!isSkipped && !suite.isSkipped) tests.push({suite, name: String(name), run: bodyOf(rest)})
}

function declareSuite(name: unknown, rest: readonly unknown[], isSkipped: boolean): void {
  const at = current()
  const outer = at.suite
  at.suite = newSuite(outer)
  at.suite.isSkipped ||= isSkipped
  bodyOf(rest)(name)
  at.suite = outer
}

function createDeclarer(declare: typeof declareTest, isSkipped = false): unknown {
  const plain: Named = (name, ...rest) => declare(name, rest, isSkipped)
  const perItem =
    (given: (item: unknown, context: unknown) => unknown[]) =>
    (items: readonly unknown[]): Named =>
    (name, ...rest) => {
      const body = bodyOf(rest)
      for (const [index, item] of items.entries()) {
        const run: Body = (of) => body(...given(item, of))
        declare(`${String(name)} (${index})`, [run], isSkipped)
      }
    }
  const more = {
    each: perItem((item) => (Array.isArray(item) ? item : [item])),
    for: perItem((item, of) => [item, of]),
    skipIf: (is: unknown) => createDeclarer(declare, Boolean(is)),
    runIf: (is: unknown) => createDeclarer(declare, !is),
  }
  for (const name of ['concurrent', 'sequential'])
    Object.defineProperty(plain, name, {value: plain})
  return Object.assign(plain, more, {
    skip: (name: unknown, ...rest: unknown[]) => declare(name, rest, true),
  })
}

export const test = createDeclarer(declareTest)
export const it = test
export const describe = createDeclarer(declareSuite)

const addHook = (kind: Moment) => (hook: Hook) => void current().suite.hooks[kind].push(hook)
export const beforeAll = addHook('beforeAll')
export const beforeEach = addHook('beforeEach')
export const afterEach = addHook('afterEach')
export const afterAll = addHook('afterAll')

export function onTestFinished(end: Hook): void {
  const {ends, suite} = current()
  const list = ends ?? suite.hooks.afterAll
  list.push(end)
}

/** The same names as `test/support/postgres-run.ts` gives, of a run of its own. */
export function inject(): string {
  return `bosun_test_${Math.floor(Date.now() / 1000)}_${process.pid}_`
}

const POLL_MS = 30_000

function poll(look: () => unknown, {timeout = POLL_MS, interval = 20} = {}): unknown {
  const matcher =
    (name: string, isNot: boolean) =>
    async (...given: unknown[]): Promise<void> => {
      const endMs = Date.now() + timeout
      for (;;) {
        try {
          const expected = vitest.expect(await look())
          const asked: unknown = isNot ? expected.not : expected
          await (asked as Record<string, Body>)[name]?.(...given)
          return
        } catch (error) {
          if (Date.now() > endMs) throw error
        }
        await delay(interval)
      }
    }
  const matchers = (isNot: boolean): object =>
    new Proxy(
      {},
      {get: (_, name) => (name === 'not' ? matchers(true) : matcher(String(name), isNot))},
    )
  return matchers(false)
}

export const expect = new Proxy(vitest.expect, {
  get: (real, name): unknown => (name === 'poll' ? poll : Reflect.get(real, name)),
})

/** Limits are the runner's. */
export const vi = new Proxy(vitest.vi, {
  get: (real, name): unknown => (name === 'setConfig' ? () => undefined : Reflect.get(real, name)),
})
export const context = {expect, onTestFinished, skip: () => undefined, task: {name: ''}}
