import type {Runner} from './runner.ts'

/** One test, and what it runs of what is changed. */
export interface KnownTest {
  readonly file: string
  readonly test: number
  readonly ms: number
  /** What it costs others: the machine is shared, and who waits takes little of it. */
  readonly cost: number
  readonly reached: ReadonlySet<number>
}

/** Which tests run which mutants, as the files are. */
export interface Reach {
  readonly tests: readonly KnownTest[]
  /** What is computed when a file of tests is imported, and how long that takes. */
  readonly imported: ReadonlyMap<string, {ids: ReadonlySet<number>; ms: number}>
  /** Tests that fail here as everything is, and judge nothing. */
  readonly unusable: readonly string[]
}

const LIMIT_MS = 60_000
const FILE_LIMIT_MS = 240_000

export async function discover(
  runners: readonly Runner[],
  files: readonly string[],
): Promise<Reach> {
  const tests: KnownTest[] = []
  const imported = new Map<string, {ids: Set<number>; ms: number}>()
  const unusable: string[] = []
  const queue = [...files]
  await Promise.all(
    runners.map(async (runner) => {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        const answer = await runner.ask({kind: 'discover', file, limitMs: LIMIT_MS}, FILE_LIMIT_MS)
        if (answer?.error !== undefined || answer === undefined) {
          unusable.push(`${file}: ${answer?.error ?? 'did not end'}`)
          continue
        }
        imported.set(file, {ids: new Set(answer.imported), ms: answer.importMs})
        for (const {test, ms, cpuMs, failure, reached} of answer.outcomes) {
          if (failure === undefined)
            tests.push({file, test, ms, cost: cpuMs + ms / 10, reached: new Set(reached)})
          else unusable.push(`${file} (${test}): ${failure.split('\n')[0] ?? ''}`)
        }
        if (answer.outcomes.some(({isLate}) => isLate)) runner.renew()
      }
    }),
  )
  return {tests, imported, unusable}
}
