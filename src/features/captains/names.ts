import {nearestOne} from '../../agents/nearest-word.ts'

/** What somebody called by a name, and what stands behind it. */
type Called<One> =
  | {outcome: 'found'; ones: One[]; rest: string}
  /** Nobody is called so. */
  | {outcome: 'unknown'; word: string; nearest: string | undefined}
  | {outcome: 'unnamed'}

/** Curly quotes come from keyboards that mean well; any of a family closes any other of it. */
const QUOTES = ['"“”„‟', "'‘’‚‛", '«»']

/** A name is at most 100 characters long, and 50 words; blanks in between may be more than one. */
const MAX_WORDS = 50
const MAX_SAID = 400

/**
 * Reads a name at the beginning of a text: `Ada what is left?`, `"Ada Lovelace" what is left?`. Names have blanks, too:
 * the longest one that fits is meant. Several may bear it.
 */
export function readName<One>(text: string, all: ReadonlyMap<One, string>): Called<One> {
  const said = text.trim().replace(/^@(?=\S)/, '')
  if (said === '') return {outcome: 'unnamed'}
  const called = createCalled(all)
  const quoted = readQuoted(said)
  if (quoted !== undefined) {
    const ones = called(quoted.name)
    if (ones.length > 0) return {outcome: 'found', ones, rest: quoted.rest}
    return unknown(quoted.name, all)
  }
  for (const {name, rest} of beginnings(said)) {
    const ones = called(name)
    if (ones.length > 0) return {outcome: 'found', ones, rest}
  }
  const [first = ''] = said.split(/\s/u, 1)
  return unknown(first, all)
}

/** Who bears a name. Each of theirs is read once, however many beginnings of a text are tried. */
function createCalled<One>(all: ReadonlyMap<One, string>): (name: string) => One[] {
  const alike = Map.groupBy(all, ([, name]) => sameName(name))
  return (name) => {
    const ones = alike.get(sameName(name)) ?? []
    // Where two differ in their letters' size alone, that decides.
    const exact = ones.filter(([, one]) => one === name)
    return (exact.length > 0 ? exact : ones).map(([one]) => one)
  }
}

function unknown<One>(word: string, all: ReadonlyMap<One, string>): Called<One> {
  return {outcome: 'unknown', word, nearest: nearestOne([...all.values()], word)}
}

/** All that could be a name, the longest first; it ends at a blank, and a comma or a colon behind it is none of it. */
function beginnings(said: string): {name: string; rest: string}[] {
  const blanks = [...said.slice(0, MAX_SAID).matchAll(/\s/gu)].map(({index}) => index)
  return [...blanks, ...(said.length <= MAX_SAID ? [said.length] : [])]
    .slice(0, MAX_WORDS)
    .toReversed()
    .flatMap((end) => {
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
  for (let at = 1; at < Math.min(said.length, MAX_SAID); at += 1) {
    const isEnd = /^[,:]?(?:\s|$)/u.test(said.slice(at + 1, at + 3))
    if (!family.includes(said.charAt(at)) || !isEnd) continue
    const name = said.slice(1, at).trim()
    const rest = said.slice(at + 1).replace(/^[,:]/, '')
    return name === '' ? undefined : {name, rest: rest.trim()}
  }
  return undefined
}

/** Two names that people take for one. */
export function sameName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase()
}
