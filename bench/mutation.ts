import {globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {stripTypeScriptTypes} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {parseArgs} from 'node:util'
import type ts from 'typescript'
import {type Line, atLeast, endWith, never} from './lines.ts'
import {EQUIVALENT, type Equivalent} from './mutation/equivalent.ts'
import {FOLDERS} from './mutation/folders.ts'
import {BUDGET_MS, type Numbered, type Verdict, createJudge} from './mutation/judge.ts'
import {discover} from './mutation/reach.ts'
import {type Runner, createRunner} from './mutation/runner.ts'
import {withSwitches} from './mutation/schemata.ts'
import {type Mutant, mutantsOf, parse} from './mutation/sites.ts'

/**
 * Changes the code in one place at a time, as a slip would, and runs the tests: a change that none of them notices shows what is
 * not tested, or not needed. Ends with 1 when a folder's tests notice less than nine tenths of what can be noticed.
 */

const {values: options} = parseArgs({
  options: {
    folder: {type: 'string', multiple: true, default: Object.keys(FOLDERS)},
    sample: {type: 'string', default: '300'},
    seed: {type: 'string', default: '1'},
    workers: {type: 'string', default: '2'},
    json: {type: 'string', default: 'data/mutation'},
    /** Only what survived the last time. */
    survivors: {type: 'boolean', default: false},
    stages: {type: 'string', default: '9'},
    /** So many times the usual time of tests, where tests take longer than they should: on a busy machine they do. */
    patience: {type: 'string', default: '1'},
  },
})

interface Result extends Verdict {
  file: string
  line: number
  at: string
  original: string
  mutated: string
  isEquivalent: boolean
}

const ROOT = join(import.meta.dirname, '..')
/** Of what can be noticed, in percent. */
const LEAST_KILLED = 90
const NOT_ASKED: Verdict = {isKilled: false, why: 'not asked'}
const rows: string[][] = [
  ['', 'mutants', 'killed', 'survived', 'equivalent', 'of the others killed'],
]
const lines: Line[] = []
for (const folder of options.folder) lines.push(...(await judgeFolder(folder)))
for (const row of rows)
  console.log(row.map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(11))).join(''))
endWith(lines)

async function judgeFolder(name: string): Promise<Line[]> {
  const folder = FOLDERS[name]
  if (folder === undefined) throw new Error(`No folder ${name}: ${Object.keys(FOLDERS).join(', ')}`)
  const files = globSync([...folder.sources], {cwd: ROOT}).toSorted()
  const sources = files.map((file) => parse(file, readFileSync(join(ROOT, file), 'utf8')))
  const all = sources.flatMap((source) => mutantsOf(source, options.seed))
  const sample = all
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, Number(options.sample))
    .map((mutant, id): Numbered => ({...mutant, id}))
  const named = EQUIVALENT.filter(({file}) => files.includes(file))
  const stale = named.filter((one) => !all.some((mutant) => isSame(one, mutant)))

  const jsonPath = join(ROOT, options.json, `${name}.json`)
  const before = options.survivors ? (JSON.parse(readFileSync(jsonPath, 'utf8')) as Result[]) : []
  const known = (mutant: Mutant): Result | undefined =>
    before.find((one) => one.isKilled && isSame(one, mutant))
  const open = sample.filter((mutant) => known(mutant) === undefined)

  const verdicts = new Map<number, Verdict>()
  const results = (): Result[] =>
    sample.map((mutant): Result => {
      const {isKilled, why} = verdicts.get(mutant.id) ?? known(mutant) ?? NOT_ASKED
      const {file, line, at, original, mutated} = mutant
      const isEquivalent = named.some((one) => isSame(one, mutant))
      return {file, line, at, original, mutated, isEquivalent, isKilled, why}
    })
  mkdirSync(join(ROOT, options.json), {recursive: true})
  // A run that is broken off is gone on with by --survivors.
  const save = (): void =>
    writeFileSync(
      jsonPath,
      `[\n${results()
        .map((one) => JSON.stringify(one))
        .join(',\n')}\n]\n`,
    )
  await judgeAll(name, sources, open, verdicts, save)
  save()
  return tell(name, results(), stale)
}

function tell(name: string, results: readonly Result[], stale: readonly Equivalent[]): Line[] {
  const killed = results.filter(({isKilled, isEquivalent}) => isKilled && !isEquivalent)
  const survived = results.filter(({isKilled, isEquivalent}) => !isKilled && !isEquivalent)
  const equivalent = results.filter(({isEquivalent}) => isEquivalent)
  for (const {file, line, original, mutated, at, why} of survived) {
    console.log(
      `${file}:${line} survived (${why})\n    ${at}\n    ${difference(original, mutated)}`,
    )
  }
  for (const one of stale) console.log(`Named as equivalent and not there: ${one.file}, ${one.at}`)
  const noticed = equivalent.filter(({isKilled}) => isKilled)
  for (const {file, line, why} of noticed) {
    console.log(`Named as equivalent and noticed: ${file}:${line}, ${why}`)
  }
  const part = (100 * killed.length) / (killed.length + survived.length)
  const counts = [results, killed, survived, equivalent].map((some) => String(some.length))
  rows.push([name, ...counts, `${part.toFixed(1)} %`])
  return [
    atLeast(`${name}: killed of what can be noticed`, part, LEAST_KILLED, '%'),
    never(`${name}: named as equivalent, and not there or noticed`, stale.length + noticed.length),
  ]
}

async function judgeAll(
  name: string,
  sources: readonly ts.SourceFile[],
  sample: readonly Numbered[],
  verdicts: Map<number, Verdict>,
  onProgress: () => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-mutation-'))
  const probeOf = (file: string): number =>
    -10 - sources.findIndex(({fileName}) => fileName === file)
  const files: Record<string, string> = {}
  for (const [index, source] of sources.entries()) {
    const own = sample.filter(({file}) => file === source.fileName)
    if (own.length === 0) continue
    const written = join(folder, `${index}.ts`)
    const text = withSwitches(source, own, probeOf(source.fileName))
    stripTypeScriptTypes(text) // throws where it can be no program
    writeFileSync(written, text)
    files[pathToFileURL(join(ROOT, source.fileName)).href] = written
  }
  const testApi = pathToFileURL(join(import.meta.dirname, 'mutation', 'test-api.ts')).href
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({files, testApi}))

  const stages = FOLDERS[name]?.stages.slice(0, Number(options.stages)) ?? []
  for (const [
    index,
    {name: stage, tests, without = [], env = {}, budgetMs = BUDGET_MS},
  ] of stages.entries()) {
    const alive = sample.filter(({id}) => verdicts.get(id)?.isKilled !== true)
    const runners = Array.from({length: Number(options.workers)}, (_, at): Runner => {
      const reached = join(folder, `reached-${index}-${at}`)
      writeFileSync(reached, '')
      return createRunner({
        ...env,
        BOSUN_MUTATION_PLAN: join(folder, 'plan.json'),
        BOSUN_MUTATION_REACHED: reached,
      })
    })
    const testFiles = globSync([...tests], {cwd: ROOT, exclude: [...without]}).toSorted()
    const startedAt = Date.now()
    const reach = await discover(runners, testFiles)
    const tell = (text: string): void => console.error(`${name}, ${stage}: ${text}`)
    tell(`${reach.tests.length} tests read in ${seconds(startedAt)} s`)
    const unusable = Map.groupBy(reach.unusable, (one) => one.split(/[ :]/)[0])
    for (const [file, [why, ...more]] of unusable) {
      tell(`${more.length + 1} of no use here: ${file ?? ''}, ${why ?? ''}`)
    }
    const {judge} = createJudge(reach, probeOf, budgetMs * Number(options.patience))
    const queue = [...alive]
    await Promise.all(
      runners.map(async (runner) => {
        for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
          const verdict = await judge(one, runner)
          // What a later stage does not run was seen by an earlier one.
          if (verdict.why !== 'runs in no test' || !verdicts.has(one.id))
            verdicts.set(one.id, verdict)
          if (queue.length % 25 === 0) {
            tell(`${queue.length} left after ${seconds(startedAt)} s`)
            onProgress()
          }
        }
        runner.end()
      }),
    )
  }
  rmSync(folder, {recursive: true, force: true})
}

function seconds(sinceMs: number): string {
  return ((Date.now() - sinceMs) / 1000).toFixed(0)
}

type Text = Pick<Mutant, 'file' | 'at' | 'original' | 'mutated'>

function isSame(one: Text, other: Text): boolean {
  return (['file', 'at', 'original', 'mutated'] as const).every((key) => one[key] === other[key])
}

/** Where two texts part, with a little before it. */
function difference(original: string, mutated: string): string {
  const flat = [original, mutated].map((text) => text.replaceAll(/\s+/g, ' '))
  const [one = '', other = ''] = flat
  let from = 0
  while (from < one.length && one[from] === other[from]) from += 1
  const start = Math.max(0, from - 30)
  const [shown, instead] = flat.map((text) => text.slice(start, from + 60))
  return `${start > 0 ? '…' : ''}${shown ?? ''} → ${instead === '' ? 'nothing' : (instead ?? '')}`
}
