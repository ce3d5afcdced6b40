/**
 * What a reader reads of Markdown, as a string of tokens of two UTF-16 units each: outside code a space and a letter or
 * digit, in code a backtick and the unit, whatever it is. So marks, links, entities and line ends outside code
 * differ in nothing, and code differs in everything.
 */
type Readable = string

/** One message that may go on where another one ended. */
interface Piece {
  /** How it reads when its first `head` lines repeat what stood before, and it begins inside a fence or not. */
  read(head: number, start: 'outside' | 'inside'): Readable
}

export function createPiece(markdown: string): Piece {
  const known = new Map<string, Readable>()
  const lines = markdown.split('\n')
  return {
    read: (head, start) => {
      const key = `${head} ${start}`
      const readable = known.get(key) ?? toReadable(lines.slice(head), start)
      known.set(key, readable)
      return readable
    },
  }
}

/** The index behind the pieces from `start` on that together read like this text; `undefined`: they do not. */
export function endOf(text: Piece, pieces: readonly Piece[], start: number): number | undefined {
  const whole = text.read(0, 'outside')
  let ends = new Set([0])
  for (let index = start; index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece === undefined) return undefined
    ends = new Set([...ends].flatMap((at) => endsOf(whole, at, piece)))
    if (ends.size === 0) return undefined
    for (const at of ends) if (skipSpace(whole, at) >= whole.length) return index + 1
  }
  return undefined
}

/** Where the text stands behind this piece, if it goes on at `at`: the line ends at a cut are the cut itself. */
function endsOf(whole: Readable, at: number, piece: Piece): number[] {
  // A part repeats the two lines of a table's head.
  const heads = at === 0 ? [0] : [0, 1, 2]
  const starts = at > 0 ? (['outside', 'inside'] as const) : (['outside'] as const)
  const froms = [...new Set([at, skipLineEnds(whole, at), skipSpace(whole, at)])]
  return heads.flatMap((head) =>
    starts.flatMap((start) => {
      const readable = piece.read(head, start)
      const variants = [readable, withoutLastLineEnd(readable)]
      return variants.flatMap((it) =>
        it === ''
          ? []
          : froms.flatMap((from) => (whole.startsWith(it, from) ? from + it.length : [])),
      )
    }),
  )
}

const LINE_END = '`\n'

function withoutLastLineEnd(readable: Readable): Readable {
  return readable.endsWith(LINE_END) ? readable.slice(0, -2) : readable
}

function skipLineEnds(whole: Readable, from: number): number {
  let at = from
  while (whole.startsWith(LINE_END, at)) at += 2
  return at
}

function skipSpace(whole: Readable, from: number): number {
  let at = from
  while (whole.charAt(at) === '`' && /\s/.test(whole.charAt(at + 1))) at += 2
  return at
}

const FENCE = /^([\s>]*)((?:(?:[-*+]|\d{1,9}[.)])\s+)*)(`{3,}|~{3,})(.*)$/

function toReadable(lines: readonly string[], start: 'outside' | 'inside'): Readable {
  let readable = ''
  let fence: {mark: string; indent: number} | undefined =
    start === 'inside' ? {mark: '', indent: 0} : undefined
  for (const line of lines) {
    const [, before = '', bullets = '', mark = '', info = ''] = FENCE.exec(line) ?? []
    if (fence !== undefined) {
      // What begins inside a fence has not seen its mark.
      const isEnd =
        mark !== '' && info.trim() === '' && bullets === '' && mark.startsWith(fence.mark)
      if (isEnd) fence = undefined
      else readable += asCode(`${withoutIndent(line, fence.indent)}\n`)
    } else if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
      fence = {mark, indent: before.length + bullets.length}
    } else readable += readLine(line)
  }
  // A text of marks alone is told apart by its marks.
  return readable === '' ? asLetters(lines.join('').replaceAll(/\s/g, '')) : readable
}

function withoutIndent(line: string, indent: number): string {
  const own = /^[\s>]*/.exec(line)?.[0].length ?? 0
  return line.slice(Math.min(own, indent))
}

const CODE_SPAN = /\\[^]|(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/g

function readLine(line: string): Readable {
  let readable = ''
  let end = 0
  for (const match of line.matchAll(CODE_SPAN)) {
    const [all, ticks, code = ''] = match
    if (ticks === undefined) continue
    readable += readInstruction(line.slice(end, match.index)) + asCode(code.trim())
    end = match.index + all.length
  }
  return readable + readInstruction(line.slice(end))
}

const LINK = /\[([^\]]*)\]\\?\(\s*<?([^)\s>]*)>?[^)]*\)/g

function readInstruction(text: string): Readable {
  const plain = decode(text)
    .replaceAll(LINK, (_, label: string, url: string) =>
      lettersOf(label) === lettersOf(url) ? label : `${label} ${url}`,
    )
    .replaceAll(/%3A/gi, ':')
  return asLetters(lettersOf(plain))
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function asLetters(text: string): Readable {
  return text.replaceAll(/[^]/g, ' $&')
}

/** Slack decodes entities in code, so they go out encoded; and a link that only some take for code is broken. */
function asCode(text: string): Readable {
  return text
    .replaceAll(/&(?:amp;)+/g, '&')
    .replaceAll(']\\(', '](')
    .replaceAll(/[^]/g, '`$&')
}
