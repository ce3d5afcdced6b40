/** Control characters but tab and line ends, marks of byte order, and what turns the direction of writing around. */
const INVISIBLE = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069\uFEFF]/g

const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * What a reader could not see, and could be fooled by, is left out; something stays, since Slack takes no empty
 * message. Parsers disagree about what the rest of a line is behind such a character: so it goes before a text is read.
 */
export function toVisible(text: string): string {
  const visible = withoutInvisible(text)
  return text.trim() !== '' && !VISIBLE.test(visible) ? '\ufffd' : visible
}

/** White space, and marks that show nothing where they stand alone: those inside of a text join letters, and pictures. */
const UNSEEN = /[\s\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069]/

/** Without what keyboards, and what is pasted, leave around a text. */
export function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && UNSEEN.test(text.charAt(from))) from += 1
  while (to > from && UNSEEN.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

function withoutInvisible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\r(?!\n)/g, '\n')
}

const MAX_PIECE = 65_536

/** The same of a text of any length, piece by piece: each takes some milliseconds, whatever is in it. */
export function* visiblePieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const to = seamAt(text, from + MAX_PIECE)
    yield withoutInvisible(text.slice(from, to))
    from = to
  }
}

const JOINED = /[\uD800-\uDBFF\r]/
const MAX_JOINED = 64

/** Where a text can be cut, there or a little before: not inside a character or a line end, and not behind what is invisible. */
export function seamAt(text: string, at: number): number {
  if (at >= text.length) return text.length
  let seam = at
  for (; seam > at - MAX_JOINED; seam -= 1) {
    const before = text.charAt(seam - 1)
    if (!JOINED.test(before) && withoutInvisible(before) === before) return seam
  }
  return at
}
