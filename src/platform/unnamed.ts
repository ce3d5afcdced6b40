/**
 * Values of answers whose field the platform's API document does not name (sections 4.9 and 4.11): they are
 * known by what they are.
 */

/**
 * The one of `words` that an answer holds, bare or in a field of any name. Where several do, the one
 * in the field of the likely name; `undefined` when that decides nothing.
 */
export function readWord<Word extends string>(
  answer: unknown,
  words: readonly Word[],
  likelyName: string,
): Word | undefined {
  const found = [...strings(answer)].flatMap(({name, value}) => {
    const word = words.find((it) => plain(it) === plain(value))
    return word === undefined ? [] : [{name, word}]
  })
  const [first, ...others] = new Set(found.map(({word}) => word))
  return others.length === 0 ? first : found.find(({name}) => name === likelyName)?.word
}

/** `no-match`, `no_match` and `NoMatch` are one word. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, '')
}

/** The session token of an answer: bare, in a field that is named after it, or its only string. */
export function readToken(answer: unknown): string | undefined {
  const found = [...strings(answer)]
  const named =
    found.find(({name}) => /^(session[-_]?)?token$/i.test(name)) ??
    found.find(({name}) => /token$|jwt$/i.test(name))
  const only = found.length === 1 ? found[0] : undefined
  return (named ?? only)?.value || undefined
}

interface NamedString {
  /** Empty for a bare one; of a list, the index. */
  name: string
  value: string
}

/** Every string of an answer, three levels deep: what is deeper is somebody's content. */
function* strings(value: unknown, name = '', levels = 3): Generator<NamedString> {
  if (typeof value === 'string') yield {name, value}
  if (typeof value !== 'object' || value === null || levels === 0) return
  for (const [key, item] of Object.entries(value)) yield* strings(item, key, levels - 1)
}
