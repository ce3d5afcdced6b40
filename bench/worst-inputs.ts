// What anybody can write holds up the bot for so long, and fills it by so much, at worst: texts of 100,000 characters that a search
// finds for everything that reads or draws one. `--shapes 400` are drawn for each before the worst are varied; `--only clean` for one.
import {spawnSync} from 'node:child_process'
import {getHeapStatistics} from 'node:v8'
import {parseArgs} from 'node:util'
import {READERS} from '../test/support/readers.ts'
import {
  LONG,
  type Read,
  type Shape,
  ownWorkOf,
  textOf,
  worstShapes,
} from '../test/support/worst-inputs.ts'
import {atMost, endWith} from './lines.ts'

const {values} = parseArgs({
  options: {
    shapes: {type: 'string', default: '400'},
    seed: {type: 'string', default: '1'},
    only: {type: 'string'},
  },
})
const search = {seed: Number(values.seed), shapes: Number(values.shapes)}

/** So much may be made before any of it is cleared away: what a reader makes is then what the heap has grown by. */
const YOUNG_MEGABYTES = 1024
const FLAG = `--max-semi-space-size=${YOUNG_MEGABYTES}`
if (!process.execArgv.includes(FLAG)) {
  const flags = [FLAG, `--min-semi-space-size=${YOUNG_MEGABYTES}`]
  const again = [...flags, ...process.execArgv, ...process.argv.slice(1)]
  process.exit(spawnSync(process.execPath, again, {stdio: 'inherit'}).status ?? 1)
}

/** Bytes; nothing where they were cleared away in the middle. */
function madeBy(read: Read, text: string): number {
  const before = getHeapStatistics()
  read(text)
  const after = getHeapStatistics()
  const grown = (name: 'used_heap_size' | 'external_memory') => after[name] - before[name]
  return Math.max(0, grown('used_heap_size')) + Math.max(0, grown('external_memory'))
}

interface Worst {
  figure: number
  shape: Shape
}

function worstOf(shapes: readonly Shape[], figureOf: (text: string) => number): Worst {
  const all = shapes.map((shape) => ({shape, figure: figureOf(textOf(shape, LONG))}))
  const [worst] = all.toSorted((a, b) => b.figure - a.figure)
  if (worst === undefined) throw new Error('The search has found no text.')
  return worst
}

const rows = Object.entries(READERS)
  .filter(([name]) => values.only === undefined || name === values.only)
  .map(([name, {read, words}]) => {
    const slowest = worstOf(worstShapes(read, {...search, words}), (text) =>
      Math.min(ownWorkOf(read, text), ownWorkOf(read, text)),
    )
    const largest = worstOf(worstShapes(read, {...search, words, costOf: madeBy}), (text) =>
      Math.max(madeBy(read, text), madeBy(read, text)),
    )
    return {name, slowest, largest}
  })
if (rows.length === 0) throw new Error(`Nothing is called ${values.only ?? ''}.`)

console.log('| Reader | Seconds at worst | of | Megabytes at worst | of |')
console.log('|---|--:|---|--:|---|')
for (const {name, slowest, largest} of rows) {
  const [seconds, megabytes] = [slowest.figure / 1000, largest.figure / 1e6]
  console.log(
    `| ${name} | ${seconds.toFixed(3)} | ${show(slowest)} | ${megabytes.toFixed(1)} | ${show(largest)} |`,
  )
}
endWith([
  atMost(
    'seconds of the slowest',
    Math.max(...rows.map(({slowest}) => slowest.figure)) / 1000,
    0.5,
  ),
  atMost(
    'megabytes of the largest',
    Math.max(...rows.map(({largest}) => largest.figure)) / 1e6,
    300,
  ),
])

function show({shape: {head, unit, tail}}: Worst): string {
  const parts = [head, unit, tail].map((part) => JSON.stringify(part).replaceAll('|', '\\|'))
  return `\`${parts.join(' ')}\``
}
