import {appendFileSync, readFileSync} from 'node:fs'
import {
  createRequire,
  registerHooks,
  stripTypeScriptTypes,
  syncBuiltinESMExports,
} from 'node:module'
import {fileURLToPath} from 'node:url'
import workerThreads, {type WorkerOptions, isMainThread} from 'node:worker_threads'
import type ts from 'typescript'

/**
 * Loaded before all else (`--import`) into the process that runs the tests, and into processes and threads that they start:
 * files of ours are read as they are written with all mutants in them, and which mutant is on is said here.
 */

/** As the parent writes it: addresses of files, and where what they became stands. */
interface Plan {
  readonly files: Readonly<Record<string, string>>
  /** Stands in for vitest. */
  readonly testApi: string
}

declare global {
  var __mutant: (id: number) => boolean
  var __reach: (id: number) => void
  var __turn: () => true
}

/** More turns of loops than any test needs with the files as they are. */
const MAX_TURNS = 30_000_000

const env = (name: string): string => process.env[`BOSUN_MUTATION_${name}`] ?? ''

/** What a process that a test starts writes its mutants to. */
export const REACHED_FILE = env('REACHED')

export const switchboard = {
  /** The mutant that is on; -1 is none. */
  active: Number(env('MUTANT') || -1),
  reached: new Set<number>(),
  turns: 0,
}

const isChild = env('IS_CHILD') === '1' || !isMainThread

function reach(id: number): void {
  if (switchboard.reached.has(id)) return
  switchboard.reached.add(id)
  if (isChild) appendFileSync(REACHED_FILE, `${id}\n`)
}

globalThis.__reach = reach
globalThis.__mutant = (id) => {
  reach(id)
  return id === switchboard.active
}
globalThis.__turn = () => {
  switchboard.turns += 1
  if (switchboard.turns > MAX_TURNS) throw new Error('A loop does not end.')
  return true
}

/** Threads of ours have the same mutant on, and say what they reach. */
class CountedThread extends workerThreads.Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const execArgv = ['--import', import.meta.filename, '--no-warnings']
    const mutant = {BOSUN_MUTATION_MUTANT: String(switchboard.active)}
    super(file, {...options, execArgv, env: {...process.env, ...mutant}})
  }
}
workerThreads.Worker = CountedThread
syncBuiltinESMExports()

const plan = JSON.parse(readFileSync(env('PLAN'), 'utf8')) as Plan
const VERSION = /\?m=\d+$/

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'vitest' && context.parentURL !== plan.testApi) {
      return {url: plan.testApi, format: 'module-typescript', shortCircuit: true}
    }
    const found = next(specifier, context)
    // Whoever is imported once more imports everything of ours once more.
    const version = VERSION.exec(context.parentURL ?? '')?.[0]
    const isOurs = found.url.startsWith('file:') && !found.url.includes('/node_modules/')
    const isNew = version !== undefined && isOurs && !found.url.includes('/bench/mutation/')
    return isNew && !VERSION.test(found.url) ? {...found, url: found.url + version} : found
  },
  load: (url, context, next) => {
    const file = url.replace(VERSION, '')
    if (file.endsWith('.test.ts')) return {format: 'module', source: read(file), shortCircuit: true}
    const written = plan.files[file]
    if (written === undefined) return next(url, context)
    return {format: 'module-typescript', source: readFileSync(written, 'utf8'), shortCircuit: true}
  },
})

/** Tests are read by vite otherwise, which knows more of TypeScript than Node does. */
function read(url: string): string {
  const text = readFileSync(fileURLToPath(url), 'utf8')
  try {
    return stripTypeScriptTypes(text)
  } catch {
    const {ModuleKind, ScriptTarget, transpileModule} = createRequire(import.meta.url)(
      'typescript',
    ) as typeof ts
    const compilerOptions = {module: ModuleKind.ESNext, target: ScriptTarget.ESNext}
    return transpileModule(text, {compilerOptions}).outputText
  }
}
