import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {QUICK_FORMS, type QuickForm} from './prove/list.ts'
import {type Outcome, runForm} from './prove/run.ts'
import {
  type Dated,
  type Section,
  between,
  sectionOf,
  sectionsIn,
  summaryOf,
  toColumns,
  toMarkdown,
} from './prove/table.ts'

/**
 * All benches, one after the other, each in its quick form, in an order that finds most soonest. What the minutes do not reach is said to
 * be not run, and never counts as held.
 */

const {values: options} = parseArgs({
  options: {
    minutes: {type: 'string', default: '30'},
    /** Names of benches, with commas between them. The page keeps what it says of the others. */
    only: {type: 'string'},
    seed: {type: 'string', default: '1'},
    /** Puts the table into bench/README.md. */
    write: {type: 'boolean', default: false},
  },
})
const root = join(import.meta.dirname, '..')
const PAGE = join(root, 'bench', 'README.md')
const DATA = join(root, 'data')
const day = new Date().toISOString().slice(0, 10)
const endMs = performance.now() + Number(options.minutes) * 60_000

const outcomes: Dated[] = []
for (const form of chosen()) {
  const outcome = isInTime(form) ? await runForm(form, {root, seed: options.seed}) : late(form)
  outcomes.push({...outcome, day})
  tell(outcome)
}
const sections = outcomes.map(sectionOf)
console.log(`\n${toColumns(sections)}\n\n${summaryOf(sections)}`)
mkdirSync(DATA, {recursive: true})
writeFileSync(join(DATA, 'prove.json'), JSON.stringify({outcomes}, undefined, 2))
if (options.write) write()
if (!outcomes.every(({lines}) => lines.every(({isHeld}) => isHeld))) process.exitCode = 1
// Nothing was shown.
if (outcomes.every(({lines}) => lines.length === 0)) process.exitCode = 1

function chosen(): readonly QuickForm[] {
  const names = options.only?.split(',')
  const unknown = names?.filter((name) => !QUICK_FORMS.some((form) => form.name === name)) ?? []
  if (unknown.length > 0) {
    throw new Error(
      `There is no bench ${unknown.join(', ')}. --only takes ${QUICK_FORMS.map(({name}) => name).join(', ')}.`,
    )
  }
  return QUICK_FORMS.filter(({name}) => names?.includes(name) ?? true)
}

function isInTime({seconds}: QuickForm): boolean {
  return performance.now() + seconds * 1000 <= endMs
}

function late({name}: QuickForm): Outcome {
  return {bench: name, seconds: 0, lines: [], notRun: 'no time was left', said: ''}
}

/** As it goes. */
function tell({bench, seconds, lines, notRun, said}: Outcome): void {
  const short = lines.filter(({isHeld}) => !isHeld)
  const held = `${lines.length - short.length} of ${lines.length} lines hold`
  console.error(
    `${bench}: ${notRun === undefined ? held : `not run, ${notRun}`}, ${seconds.toFixed(0)} s`,
  )
  if (short.length > 0) console.error(`${said.trimEnd()}\n`)
}

function write(): void {
  const page = readFileSync(PAGE, 'utf8')
  const all = options.only === undefined ? sections : withTheOthers(sectionsIn(page))
  const table = `Seed ${options.seed}: ${summaryOf(all)}\n\n${toMarkdown(all)}`
  writeFileSync(PAGE, between(page, table))
}

/** Each bench as it went the last time. */
function withTheOthers(before: readonly Section[]): Section[] {
  return QUICK_FORMS.flatMap(
    ({name}) => [...sections, ...before].find(({bench}) => bench === name) ?? [],
  )
}
