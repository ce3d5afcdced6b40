/** In what goes to an agent it stands alone in a line: above it a person's own words, below it what goes along with them. */
export const BELOW_WORDS = '---'

/** Who says it, and the token of the message: `Jane Doe in #web (slack:8k3f2p):`. */
const SENDER = /^[^\n(]{0,200}\(slack:[^()\s]{1,40}\):\s*/
/** Platforms make a title of the first words of what they are told, in one line and perhaps cut short. */
const RULE = new RegExp(`\\s${BELOW_WORDS}(?=[\\s….]|$)`)
const BROKEN_RULE = /\s-{1,2}(?:…|\.\.\.)?$/

/** A title without the packing around the words of the person who asked; empty when it holds nothing else. */
export function ownWords(title: string): string {
  const [words = ''] = title.replace(SENDER, '').split(RULE, 1)
  return words.replace(BROKEN_RULE, '').trim()
}
