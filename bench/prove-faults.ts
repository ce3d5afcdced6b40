import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {FAULTS} from './prove/faults/list.ts'
import type {Fault} from './prove/faults/fault.ts'
import {breakCopy} from './prove/faults/scratch.ts'
import {QUICK_FORMS, type QuickForm} from './prove/list.ts'
import {type Outcome, runForm} from './prove/run.ts'

/**
 * Whether benches find what they are there to find: each fault is made in a copy of the repository, its bench is run there, and the line
 * that is named has to fall short, which without the fault has to hold. Ends with 1 where one is not found.
 */

const {values: options} = parseArgs({
  options: {
    /** Faults whose name, or whose bench's name, holds this. */
    only: {type: 'string', default: ''},
    seed: {type: 'string', default: '1'},
    /** Trusts that all lines hold without a fault. */
    'faults-alone': {type: 'boolean', default: false},
  },
})
const root = join(import.meta.dirname, '..')
const chosen = FAULTS.filter(({name, bench}) =>
  [name, bench].some((text) => text.includes(options.only)),
)
const sound = new Map<string, Outcome>()
const rows: {fault: Fault; verdict: string; seconds: number; isFound: boolean}[] = []
for (const fault of chosen) {
  const form = formOf(fault)
  const verdict = (await soundness(form, fault)) ?? (await find(form, fault))
  rows.push({fault, ...verdict})
  const {name, bench, line} = fault
  const figures = `${verdict.seconds.toFixed(0).padStart(5)} s  ${name.padEnd(62)}`
  console.log(`${verdict.isFound ? '✓' : '✗'}${figures}${bench}: ${line}: ${verdict.verdict}`)
}
const found = rows.filter(({isFound}) => isFound).length
const benches = new Set(rows.map(({fault}) => fault.bench)).size
console.log(`\n${rows.length} faults, ${found} found, by ${benches} benches`)
if (found < rows.length || rows.length === 0) process.exitCode = 1

interface Verdict {
  verdict: string
  seconds: number
  isFound: boolean
}

/** What is wrong without any fault. */
async function soundness(form: QuickForm, {line: name}: Fault): Promise<Verdict | undefined> {
  if (options['faults-alone']) return undefined
  const key = JSON.stringify([form.file, form.args])
  const outcome = sound.get(key) ?? (await runForm(form, {root, seed: options.seed}))
  sound.set(key, outcome)
  const line = outcome.lines.find((one) => one.name === name)
  if (line?.isHeld === true) return undefined
  const why = line === undefined ? 'there is no such line' : 'it falls short without the fault, too'
  return {verdict: `${outcome.notRun ?? why}\n${outcome.said}`, seconds: 0, isFound: false}
}

async function find(form: QuickForm, fault: Fault): Promise<Verdict> {
  using copy = breakCopy(root, fault)
  const {lines, seconds, said} = await runForm(form, {root: copy.root, seed: options.seed})
  const isFound = lines.some(({name, isHeld}) => name === fault.line && !isHeld)
  const short = lines.filter(({isHeld}) => !isHeld).map(({name}) => name)
  if (isFound) return {verdict: 'found', seconds, isFound}
  const others =
    short.length === 0 ? 'everything holds' : `only these fall short: ${short.join(', ')}`
  return {verdict: `NOT FOUND, ${others}\n${said}`, seconds, isFound}
}

/** Whatever else a bench ends with in a form of its own is of no interest here. */
function formOf({bench, args}: Fault): QuickForm {
  const form = QUICK_FORMS.find(({name}) => name === bench)
  if (form === undefined) throw new Error(`There is no bench ${bench}.`)
  return args === undefined ? form : {...form, args: args.split(' ')}
}
