import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {Worker} from 'node:worker_threads'
import {z} from 'zod'
import {atLeast, atMost, endWith, never} from './lines.ts'

/**
 * `npm test` again and again, beside cores that are kept busy: which tests fail once in many runs, and how long a run takes. Each run is
 * a line of `data/suite.jsonl`, and the runs that stand there count: so many can be had in parts. What stands behind `--` goes to vitest.
 */
const {values: options, positionals} = parseArgs({
  options: {
    runs: {type: 'string', default: '1'},
    /** With those of before. */
    of: {type: 'string', default: '20'},
    busy: {type: 'string', default: '1'},
  },
  allowPositionals: true,
})
const root = join(import.meta.dirname, '..')
const file = join(root, 'data', 'suite.jsonl')
const MAX_MINUTES = 10
/** Of what a test said, characters. */
const MAX_TOLD = 3000

const run = z.object({
  date: z.string(),
  minutes: z.number(),
  passed: z.number(),
  failed: z.array(z.string()),
})
type Run = z.infer<typeof run>

const report = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
})

mkdirSync(join(root, 'data'), {recursive: true})
const busy = Array.from({length: Number(options.busy)}, () => new Worker('for (;;);', {eval: true}))
try {
  for (let done = 0; done < Number(options.runs); done += 1) {
    const row = await runOnce()
    appendFileSync(file, `${JSON.stringify(row)}\n`)
    print(row)
  }
} finally {
  await Promise.all(busy.map((worker) => worker.terminate()))
}
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => run.parse(JSON.parse(line)))
console.log(`\n${rows.length} runs`)
for (const row of rows) print(row)
endWith([
  atLeast('runs', rows.length, Number(options.of)),
  atLeast('tests that passed, the fewest', Math.min(...rows.map(({passed}) => passed)), 1),
  never('tests that failed', rows.flatMap(({failed}) => failed).length),
  atMost('the slowest', Math.max(...rows.map(({minutes}) => minutes)), MAX_MINUTES, 'min'),
])

async function runOnce(): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-suite-'))
  try {
    const written = join(folder, 'report.json')
    const reporters = ['--reporter=json', `--outputFile.json=${written}`]
    const startedMs = performance.now()
    const child = spawn('npm', ['test', '--', ...reporters, ...positionals], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    const minutes = (performance.now() - startedMs) / 60_000
    const {numPassedTests, testResults} = report.parse(JSON.parse(readFileSync(written, 'utf8')))
    const failed = testResults.flatMap(({name, status, assertionResults}) => {
      const those = assertionResults.filter((test) => test.status === 'failed')
      const where = name.slice(root.length + 1)
      // A file that could not be loaded has no test that failed.
      if (those.length === 0) return status === 'failed' ? [where] : []
      return those.map(({fullName, failureMessages = []}) =>
        [`${where}: ${fullName}`, ...failureMessages].join('\n').slice(0, MAX_TOLD),
      )
    })
    if (code !== 0 && failed.length === 0) failed.push(`vitest ended with ${code ?? 'a signal'}`)
    return {date: new Date().toISOString().slice(0, 10), minutes, passed: numPassedTests, failed}
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function print({date, minutes, passed, failed}: Run): void {
  console.log(`${date}  ${minutes.toFixed(1)} min  ${passed} passed, ${failed.length} failed`)
  for (const name of failed) console.log(`  × ${name}`)
}
