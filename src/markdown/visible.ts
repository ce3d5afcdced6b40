/** Control characters but tab and line ends, marks of byte order, and what turns the direction of writing around. */
const INVISIBLE = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069\uFEFF]/g

const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * What a reader could not see, and could be fooled by, is left out; something stays, since Slack takes no empty
 * message. Parsers disagree about what the rest of a line is behind such a character: so it goes before a text is read.
 */
export function toVisible(text: string): string {
  const visible = text
    .toWellFormed()
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\r(?!\n)/g, '\n')
  return text.trim() !== '' && !VISIBLE.test(visible) ? '\ufffd' : visible
}
