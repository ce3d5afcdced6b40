import {readFileSync, writeFileSync} from 'node:fs'
import {pathToFileURL} from 'node:url'
import {REACHED_FILE, switchboard} from './switchboard.ts'
import {type Suite, type Test, collect, context, within} from './test-api.ts'

/** What came of one test. */
export interface Outcome {
  readonly test: number
  readonly ms: number
  /** Of this process. */
  readonly cpuMs: number
  readonly failure: string | undefined
  readonly isLate: boolean
  readonly reached: number[]
}

const {setTimeout: later, clearTimeout: never} = globalThis
const files = new Map<string, Promise<Test[]>>()

/** The tests of a file; another `version` is imported anew, with everything of ours that it imports. */
export function read(path: string, version?: number): Promise<Test[]> {
  const url = pathToFileURL(path).href + (version === undefined ? '' : `?m=${version}`)
  const known = files.get(url) ?? collect(() => import(url))
  if (version === undefined) files.set(url, known)
  return known
}

/** Errors that nobody awaits, of whatever runs. */
const strays: unknown[] = []
process.on('unhandledRejection', (error) => void strays.push(error))
process.on('uncaughtException', (error) => void strays.push(error))

/**
 * Runs some tests of one file, with the hooks around them, until one of them fails; `onDone` is told of each.
 */
export async function runTests(
  tests: readonly Test[],
  wanted: readonly {test: number; limitMs: number}[],
  stopsAtFailure: boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const open = new Map<Suite, Set<number>>()
  const failed = new Map<Suite, string>()
  for (const {test: index, limitMs} of wanted) {
    const test = tests[index]
    if (test === undefined) continue
    const suites = chainOf(test.suite)
    const started = performance.now()
    const cpuBefore = process.cpuUsage()
    let failure: string | undefined
    let isLate = false
    takeReached()
    strays.length = 0
    for (const suite of suites) {
      failure ??= failed.get(suite)
      if (open.has(suite) || failure !== undefined) continue
      const reached = new Set<number>()
      open.set(suite, reached)
      ;({failure, isLate} = await limited(limitMs, () =>
        within(suite, undefined, () => openSuite(suite)),
      ))
      if (failure !== undefined) failed.set(suite, failure)
      for (const id of takeReached()) reached.add(id)
    }
    if (failure === undefined)
      ({failure, isLate} = await limited(limitMs, () => runOne(test, suites)))
    if (failure === undefined && strays.length > 0) failure = `unhandled: ${String(strays[0])}`
    const reached = [...takeReached(), ...suites.flatMap((suite) => [...(open.get(suite) ?? [])])]
    const ms = performance.now() - started
    const cpu = process.cpuUsage(cpuBefore)
    const cpuMs = (cpu.user + cpu.system) / 1000
    outcomes.push({test: index, ms, cpuMs, failure, isLate, reached: [...new Set(reached)]})
    if (isLate || (failure !== undefined && stopsAtFailure)) break
  }
  if (outcomes.at(-1)?.isLate === true) return outcomes
  for (const suite of [...open.keys()].toReversed()) {
    const end = () => within(suite, undefined, () => runAll(suite.hooks.afterAll.toReversed()))
    const {failure} = await limited(20_000, end)
    const last = outcomes.at(-1)
    if (failure !== undefined && last !== undefined && last.failure === undefined) {
      outcomes[outcomes.length - 1] = {...last, failure}
    }
  }
  return outcomes
}

async function openSuite(suite: Suite): Promise<void> {
  // What is added at run time goes with the run.
  const {afterAll} = suite.hooks
  const own = declared.get(suite) ?? [...afterAll]
  declared.set(suite, own)
  afterAll.splice(0, Infinity, ...own)
  for (const hook of suite.hooks.beforeAll) {
    const end = await hook()
    if (typeof end === 'function') afterAll.push(end as () => unknown)
  }
}
const declared = new WeakMap<Suite, (() => unknown)[]>()

async function runOne(test: Test, suites: readonly Suite[]): Promise<void> {
  const ends: (() => unknown)[] = []
  const last = suites.at(-1) ?? test.suite
  await within(last, ends, async () => {
    const errors: unknown[] = []
    const attempt = async (run: () => unknown): Promise<void> => {
      try {
        const end = await run()
        if (typeof end === 'function') ends.push(end as () => unknown)
      } catch (error) {
        errors.push(error)
      }
    }
    for (const hook of suites.flatMap(({hooks}) => hooks.beforeEach)) await attempt(hook)
    if (errors.length === 0)
      await attempt(async () => {
        await test.run(context)
      })
    while (ends.length > 0)
      await attempt(async () => {
        await ends.pop()?.()
      })
    for (const hook of suites.toReversed().flatMap(({hooks}) => hooks.afterEach))
      await attempt(hook)
    if (errors.length > 0) throw errors[0]
  })
}

async function runAll(hooks: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const hook of hooks) {
    try {
      await hook()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

function chainOf(suite: Suite): Suite[] {
  return suite.parent === undefined ? [suite] : [...chainOf(suite.parent), suite]
}

/** Ends by itself; whoever does not end in time is left behind, with the process. */
async function limited(
  limitMs: number,
  run: () => Promise<unknown>,
): Promise<{failure: string | undefined; isLate: boolean}> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = later(() => resolve('late'), limitMs)
  })
  try {
    const result = await Promise.race([run().then(() => 'done'), late])
    return result === 'late'
      ? {failure: `not done within ${Math.round(limitMs)} ms`, isLate: true}
      : {failure: undefined, isLate: false}
  } catch (error) {
    return {
      failure: error instanceof Error ? error.message.slice(0, 300) : String(error),
      isLate: false,
    }
  } finally {
    never(timer)
  }
}

/** What was reached since the last time, here and in processes that were started. */
export function takeReached(): number[] {
  const reached = [...switchboard.reached]
  switchboard.reached.clear()
  switchboard.turns = 0
  const elsewhere = readFileSync(REACHED_FILE, 'utf8')
  if (elsewhere === '') return reached
  writeFileSync(REACHED_FILE, '')
  return [...reached, ...elsewhere.trim().split('\n').map(Number)]
}
