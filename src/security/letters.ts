/** The letters and digits of a text, in the order in which they are read, and where each stands. */
export interface Letters {
  codes: Uint16Array
  /** Where the letter begins and ends in the text: an escape is longer than what it stands for. */
  starts: Uint32Array
  ends: Uint32Array
  count: number
}

/** One inside another: a form in an address in JSON. */
const MAX_DECODED = 3
const ESCAPED = /[%\\&]/
const HEX = /^[0-9a-f]+$/i

/**
 * How a text may be read: as it stands, and with its escapes undone as often as there are some (percent-encoding, JSON and
 * Markdown, HTML). Whatever is no letter and no digit is passed over, since it hides a secret from a search and from no
 * reader: punctuation, Markdown's marks, white space, and marks that do not show. Other shapes of a letter (NFKC) are that letter.
 */
export function readLetters(text: string): Letters[] {
  let reading: Decoded = {text, starts: undefined, ends: undefined}
  const read = [lettersOf(reading)]
  for (let depth = 0; depth < MAX_DECODED && ESCAPED.test(reading.text); depth += 1) {
    const next = decode(reading)
    if (next.text === reading.text) break
    reading = next
    read.push(lettersOf(reading))
  }
  return read
}

/** A text whose characters came from stretches of another one; without positions it is that other one. */
interface Decoded {
  text: string
  starts: Uint32Array | undefined
  ends: Uint32Array | undefined
}

function lettersOf({text, starts: from, ends: to}: Decoded): Letters {
  const codes = new Uint16Array(text.length)
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  /** What each character that is no ASCII is read as. */
  const shapes = new Map<string, number>()
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    let code = text.charCodeAt(index)
    let last = index
    if (code >= 0x80) {
      const character = String.fromCodePoint(text.codePointAt(index) ?? code)
      last = index + character.length - 1
      code = shapes.get(character) ?? shapeOf(character)
      shapes.set(character, code)
    } else if (!isLetter(code)) {
      code = 0
    }
    if (code !== 0) {
      codes[count] = code
      starts[count] = from?.[index] ?? index
      ends[count] = to?.[last] ?? last + 1
      count += 1
    }
    index = last
  }
  return {codes, starts, ends, count}
}

function isLetter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a)
  )
}

/** The letter that a reader takes it for; another one where it is a letter all the same; 0 for what is none. */
function shapeOf(character: string): number {
  const plain = character.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '')
  return plain === '' ? 0 : plain.charCodeAt(0)
}

function decode({text, starts: from, ends: to}: Decoded): Decoded {
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  const kept: string[] = []
  let count = 0
  let index = 0
  while (index < text.length) {
    const {length, character} = escapeAt(text, index)
    const last = index + length - 1
    if (character !== '') {
      starts[count] = from?.[index] ?? index
      ends[count] = to?.[last] ?? last + 1
      kept.push(character)
      count += 1
    }
    index = last + 1
  }
  return {text: kept.join(''), starts, ends}
}

interface Escape {
  /** Of what stands in the text. */
  length: number
  /** One UTF-16 unit; empty where it is nothing that could be a letter. */
  character: string
}

/** In front of a letter it writes white space: in JSON. */
const NO_LETTER = 'nrtbf'
/** `&shy;`, `&lowbar;`, `&#115;`, `&#x73;`. */
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,12}));/iy

function escapeAt(text: string, index: number): Escape {
  const character = text.charAt(index)
  const next = text.charAt(index + 1)
  if (character === '%') {
    return hexAt(text, index + 1, 2, 3) ?? {length: 1, character}
  }
  if (character === '\\' && next !== '') {
    const asCode = next === 'u' ? hexAt(text, index + 2, 4, 6) : undefined
    return asCode ?? {length: 2, character: NO_LETTER.includes(next) ? '' : next}
  }
  if (character === '&') {
    ENTITY.lastIndex = index
    const [whole, decimal, hex, name] = ENTITY.exec(text) ?? []
    if (whole === undefined) return {length: 1, character}
    const code = decimal === undefined ? parseInt(hex ?? '0', 16) : Number(decimal)
    const meant = name === 'amp' ? '&' : name === undefined && code < 0x10000 ? code : 0
    return {
      length: whole.length,
      character: meant === 0 ? '' : typeof meant === 'string' ? meant : String.fromCharCode(meant),
    }
  }
  return {length: 1, character}
}

function hexAt(text: string, at: number, digits: number, length: number): Escape | undefined {
  const hex = text.slice(at, at + digits)
  if (hex.length < digits || !HEX.test(hex)) return undefined
  return {length, character: String.fromCharCode(parseInt(hex, 16))}
}
