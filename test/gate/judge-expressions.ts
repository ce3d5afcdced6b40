import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {EXCEPTIONS, findSlow, readRegularExpressions} from './regular-expressions.ts'
import {root} from './source-tree.ts'

const FILE = join(root, 'test', 'gate', 'fixtures', 'safe-expressions.json')

/** Expressions that the detector has judged, as they are written. */
export function readJudged(): string[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as string[]
}

/** Judges all of ours anew, and writes down those that are safe: `node test/gate/judge-expressions.ts`. */
if (import.meta.main) {
  const all = readRegularExpressions().filter(({literal}) => !(literal in EXCEPTIONS))
  const slow = await findSlow(all)
  for (const one of slow) console.error(one)
  if (slow.length > 0) process.exitCode = 1
  else
    writeFileSync(
      FILE,
      `${JSON.stringify(
        all.map(({literal}) => literal),
        undefined,
        2,
      )}\n`,
    )
}
