import {RE2JS} from 're2js'
import {createMemory} from '../../async/memory.ts'

/** What a rule looks for. It takes time in proportion to the text and to itself, whatever both are: it never goes back. */
interface Pattern {
  /** Names of its groups. */
  names: readonly string[]
  /** What its groups have found; `undefined`: it does not match. */
  match(text: string): Readonly<Record<string, string>> | undefined
}

/** `why`: in the words of the engine, for whoever wrote it. */
export type ReadPattern = {pattern: Pattern} | {why: string}

export const MAX_PATTERN = 500
/** Of its repetitions written out: the longest text is read within some 60 ms then (bench/rules.ts). */
const MAX_SIZE = 200

/** Reads what somebody wrote, in RE2's syntax; letters are matched without regard to case, and an empty one matches everything. */
export function readPattern(source: string): ReadPattern {
  if (source.length > MAX_PATTERN) return {why: `it is longer than ${MAX_PATTERN} characters`}
  try {
    const read = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
    if (read.programSize() > MAX_SIZE) return {why: 'it repeats too much'}
    const names = Object.keys(read.namedGroups())
    return {pattern: {names, match: (text) => matchOf(read, names, text)}}
  } catch (error) {
    return {why: whyOf(error)}
  }
}

/** `missing closing ): (` */
function whyOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  return said.replace('error parsing regexp: ', '').replace('(?i)', '').replaceAll('`', '')
}

function matchOf(
  read: RE2JS,
  names: readonly string[],
  text: string,
): Readonly<Record<string, string>> | undefined {
  const matcher = read.matcher(text)
  if (!matcher.find()) return undefined
  return Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']))
}

/** Many messages meet the same patterns: each is read once. */
export function createPatterns(): (source: string) => ReadPattern {
  const known = createMemory<ReadPattern>({most: 500})
  return (source) => {
    const read = known.of(source) ?? readPattern(source)
    known.keep(source, read)
    return read
  }
}
