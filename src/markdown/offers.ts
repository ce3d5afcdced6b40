/** So many answers make a list that somebody chooses from. */
const LEAST = 2
const MOST = 10
/** Of one answer, of the question above it, and of a line below the list. */
const MAX_OFFER = 150
const MAX_QUESTION = 400
const MAX_CLOSING = 100
/** With blank lines in between and room for what is too long: more of a text is never looked at. */
const MAX_READ = 2 * (MOST * MAX_OFFER + MAX_QUESTION + MAX_CLOSING)

interface Item {
  /** `1.`, `b)`. */
  marker: string
  text: string
}

/**
 * The answers that an agent's last words offer: a numbered or lettered list right after a question, with nothing behind it
 * but one short line. Each as it stands there, its marker in front. Whatever could be meant in another way offers none:
 * people can always answer in their own words.
 */
export function offersIn(text: string): string[] | undefined {
  // What stands in code is no list, and where a fence ends is not always certain.
  if (/```|~~~/.test(text)) return undefined
  const lines = endOf(text)
  const items = takeItems(lines) ?? takeItems(withoutClosing(lines))
  if (items === undefined || !isQuestion(items.above)) return undefined
  const {found} = items
  if (found.length < LEAST || found.length > MOST) return undefined
  if (!areConsecutive(found.map(({marker}) => marker))) return undefined
  if (!found.every(({text: offer}) => isOffer(offer))) return undefined
  const differ = new Set(found.map(({text: offer}) => offer.toLowerCase()))
  return differ.size === found.length
    ? found.map(({marker, text: offer}) => `${marker} ${offer}`)
    : undefined
}

function endOf(text: string): string[] {
  const end = text.trimEnd()
  const lines = end.slice(-MAX_READ).split(/\r\n|\r|\n/)
  // The first may be cut in the middle.
  return end.length > MAX_READ ? lines.slice(1) : lines
}

const ITEM = /^(\d{1,2}|[a-zA-Z])([.)])[ \t]+(\S.*)$/

/** The items at the end, none indented and no two further apart than a blank line; and all that stands above them. */
function takeItems(lines: readonly string[]): {found: Item[]; above: string[]} | undefined {
  const found: Item[] = []
  let at = lines.length - 1
  while (at >= 0) {
    const [, name, mark, text] = ITEM.exec(lines[at] ?? '') ?? []
    if (name !== undefined && mark !== undefined && text !== undefined) {
      found.unshift({marker: `${name}${mark}`, text: text.trim()})
      at -= 1
    } else if (found.length > 0 && isBlank(lines[at]) && !isBlank(lines[at - 1])) at -= 1
    else break
  }
  return found.length === 0 ? undefined : {found, above: lines.slice(0, at + 1)}
}

/** Without a blank line in between it would be part of the last item. */
function withoutClosing(lines: readonly string[]): string[] {
  const [closing = '', before] = [lines.at(-1), lines.at(-2)]
  if (closing.length > MAX_CLOSING || isBlock(closing) || !isBlank(before)) return []
  const rest = lines.slice(0, -1)
  while (isBlank(rest.at(-1)) && rest.length > 0) rest.pop()
  return rest
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}

/** What is more than words of a paragraph: a quote, a table, a heading, a list, or something inside of one. */
function isBlock(line: string): boolean {
  return /^(?:[ \t]|>|\||#|[-+*][ \t]|\d{1,9}[.)][ \t]|[a-zA-Z]\)[ \t])/.test(line)
}

/** Behind the marks that may close it. */
const ASKS = /[?？؟][*_)\]"'”’»]*$/

function isQuestion(above: readonly string[]): boolean {
  const [line = '', before = ''] = [above.at(-1)?.trimEnd(), above.at(-2)]
  if (line.length > MAX_QUESTION || !ASKS.test(line)) return false
  // It may stand in a heading, but neither in a list or a quote nor below the words of one.
  const words = line.replace(/^#{1,6}[ \t]+/, '')
  return !isBlock(words) && (isBlank(before) || !isBlock(before)) && !isYesOrNo(words)
}

const SENTENCE_END = /[.!?:;][*_)\]"'”’»]*[ \t]+/
const YES_OR_NO =
  /^[*_("'“‘«]*(?:shall|should|do|does|did|may|can|could|would|will|is|are|was|were|have|has|ok|okay|ready|right)\b/i
const ALTERNATIVES = /\b(?:or|which|what|how|where|when|who|one of|options?|following)\b/i

/** “Shall I go on with these steps?” is answered by none of them. */
function isYesOrNo(question: string): boolean {
  const sentence = question.split(SENTENCE_END).at(-1) ?? ''
  return YES_OR_NO.test(sentence) && !ALTERNATIVES.test(sentence)
}

/** A box to tick is no answer, and a line that ends like this goes on. */
function isOffer(text: string): boolean {
  return text.length <= MAX_OFFER && !/^\[[ xX]?\](?:\s|$)/.test(text) && !/[:\\]$/.test(text)
}

/** From the first on, all written in the same way. */
function areConsecutive(markers: readonly string[]): boolean {
  const [first = ''] = markers
  const start = ['1', 'a', 'A'].find((name) => first === `${name}.` || first === `${name})`)
  if (start === undefined) return false
  const mark = first.slice(-1)
  const nameOf = (index: number): string =>
    start === '1' ? String(index + 1) : String.fromCharCode(start.charCodeAt(0) + index)
  return markers.every((marker, index) => marker === `${nameOf(index)}${mark}`)
}
