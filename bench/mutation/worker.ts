import childProcess from 'node:child_process'
import {syncBuiltinESMExports} from 'node:module'
import {join} from 'node:path'
import fc from 'fast-check'
import '../../test/support/seed.ts'
import {REACHED_FILE, switchboard} from './switchboard.ts'
import {type Outcome, read, runTests, takeReached} from './trial.ts'

/** The process in which tests run: one order at a time, and an answer to each. */

export type Order =
  | {kind: 'discover'; file: string; limitMs: number}
  | {
      kind: 'judge'
      mutant: number
      /** Whether everything of ours is imported anew, for what is computed at that time. */
      isAnew: boolean
      file: string
      tests: {test: number; limitMs: number}[]
    }

export type Answer =
  | {kind: 'ready'}
  | {
      kind: 'outcomes'
      outcomes: Outcome[]
      imported: number[]
      importMs: number
      error: string | undefined
    }

const ROOT = join(import.meta.dirname, '..', '..')

// The smallest example of a failure is of no interest here.
fc.configureGlobal({...fc.readConfigureGlobal(), endOnFailure: true})
countChildren()
let version = 0

process.on('message', (order: Order) => {
  void obey(order).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())
process.send?.({kind: 'ready'})

async function obey(order: Order): Promise<Answer> {
  let outcomes: Outcome[] = []
  let imported: number[] = []
  let importMs = 0
  const startedMs = performance.now()
  let error: string | undefined
  const path = join(ROOT, order.file)
  try {
    takeReached()
    if (order.kind === 'discover') {
      const tests = await read(path, (version += 1))
      importMs = performance.now() - startedMs
      imported = takeReached()
      const wanted = tests.map((_, test) => ({test, limitMs: order.limitMs}))
      outcomes = await runTests(tests, wanted, false)
    } else {
      switchboard.active = order.mutant
      const tests = await read(path, order.isAnew ? (version += 1) : undefined)
      importMs = performance.now() - startedMs
      imported = takeReached()
      outcomes = await runTests(tests, order.tests, true)
    }
  } catch (thrown) {
    error = String(thrown)
  }
  switchboard.active = -1
  return {kind: 'outcomes', outcomes, imported, importMs, error}
}

/** Processes of ours that tests start have the same mutant on, and say what they reach. */
function countChildren(): void {
  const hooks = `--import ${join(import.meta.dirname, 'switchboard.ts')}`
  const {spawn} = childProcess
  const spawnCounted = (
    command: string,
    args: unknown,
    options: childProcess.SpawnOptions = {},
  ) => {
    const mutation = Object.entries(process.env).filter(([name]) =>
      name.startsWith('BOSUN_MUTATION_'),
    )
    const env = {
      ...(options.env ?? process.env),
      ...Object.fromEntries(mutation),
      BOSUN_MUTATION_IS_CHILD: '1',
      BOSUN_MUTATION_REACHED: REACHED_FILE,
      BOSUN_MUTATION_MUTANT: String(switchboard.active),
      NODE_OPTIONS: hooks,
    }
    const counted = command === process.execPath ? {...options, env} : options
    return spawn(command, args as string[], counted)
  }
  childProcess.spawn = spawnCounted as typeof spawn
  syncBuiltinESMExports()
}
