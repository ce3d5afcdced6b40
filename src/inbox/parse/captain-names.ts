import {nearestOne} from './nearest.ts'

/** What somebody called by a name, and what stands behind it. */
type Called<One> =
  | {outcome: 'found'; ones: One[]; rest: string}
  /** Nobody is called so. */
  | {outcome: 'unknown'; word: string; nearest: string | undefined}
  | {outcome: 'unnamed'}

/** Curly quotes come from keyboards that mean well; any of a family closes any other of it. */
const QUOTES = ['"“”„‟', "'‘’‚‛", '«»']

/**
 * Reads a name at the beginning of a text: `Ada what is left?`, `"Ada Lovelace" what is left?`. Names have blanks, too:
 * the longest one that fits is meant. Several may bear it.
 */
export function readName<One>(text: string, all: ReadonlyMap<One, string>): Called<One> {
  const said = text.trim().replace(/^@(?=\S)/, '')
  if (said === '') return {outcome: 'unnamed'}
  const quoted = readQuoted(said)
  if (quoted !== undefined) {
    const ones = called(quoted.name, all)
    if (ones.length > 0) return {outcome: 'found', ones, rest: quoted.rest}
    return unknown(quoted.name, all)
  }
  for (const {name, rest} of beginnings(said)) {
    const ones = called(name, all)
    if (ones.length > 0) return {outcome: 'found', ones, rest}
  }
  const [first = ''] = said.split(/\s/u, 1)
  return unknown(first, all)
}

function called<One>(name: string, all: ReadonlyMap<One, string>): One[] {
  const wanted = sameName(name)
  const ones = [...all].filter(([, one]) => sameName(one) === wanted)
  // Where two differ in their letters' size alone, that decides.
  const exact = ones.filter(([, one]) => one === name)
  return (exact.length > 0 ? exact : ones).map(([one]) => one)
}

function unknown<One>(word: string, all: ReadonlyMap<One, string>): Called<One> {
  return {outcome: 'unknown', word, nearest: nearestOne([...all.values()], word)}
}

/** A name is at most 100 characters long, and 50 words. */
const MAX_WORDS = 50

/** All that could be a name, the longest first; it ends at a blank, and a comma or a colon behind it is none of it. */
function beginnings(said: string): {name: string; rest: string}[] {
  const ends = [...said.matchAll(/\s|$/gu)].slice(0, MAX_WORDS).map(({index}) => index)
  return ends.toReversed().flatMap((end) => {
    const name = said.slice(0, end)
    const rest = said.slice(end).trim()
    const bare = name.replace(/[,:]$/u, '')
    return bare === name
      ? [{name, rest}]
      : [
          {name, rest},
          {name: bare, rest},
        ]
  })
}

function readQuoted(said: string): {name: string; rest: string} | undefined {
  const family = QUOTES.find((quotes) => quotes.includes(said.charAt(0)))
  if (family === undefined) return undefined
  for (let at = 1; at < said.length; at += 1) {
    if (!family.includes(said.charAt(at)) || !/^[,:]?(?:\s|$)/u.test(said.slice(at + 1))) continue
    const name = said.slice(1, at).trim()
    return name === ''
      ? undefined
      : {
          name,
          rest: said
            .slice(at + 1)
            .replace(/^[,:]/, '')
            .trim(),
        }
  }
  return undefined
}

/** Two names that people take for one. */
export function sameName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase()
}
