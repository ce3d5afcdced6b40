interface Selected {
  text: string
  start: number
  end: number
}

const signs: Readonly<Record<string, string>> = {b: '*', i: '_', e: '`'}

/** The mark that Cmd+B, Cmd+I and Cmd+E stand for in Slack's markup. */
export function signOf(key: string): string | undefined {
  return signs[key.toLowerCase()]
}

/** The selection between two marks; without them again where they stand already. */
export function toggleMark({text, start, end}: Selected, sign: string): Selected {
  const inside = text.slice(start, end)
  const isMarked = text.slice(start - 1, start) === sign && text.slice(end, end + 1) === sign
  if (isMarked) {
    const plain = text.slice(0, start - 1) + inside + text.slice(end + 1)
    return {text: plain, start: start - 1, end: end - 1}
  }
  const marked = text.slice(0, start) + sign + inside + sign + text.slice(end)
  return {text: marked, start: start + 1, end: end + 1}
}
