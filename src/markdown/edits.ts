/** What stands in the place of a stretch of a text. */
export interface Edit {
  from: number
  to: number
  put: string
}

export function insert(at: number, put: string): Edit {
  return {from: at, to: at, put}
}

/** The text with its edits made, and what is between them drawn. Of two that overlap, the first one counts. */
export function applyEdits(
  text: string,
  edits: readonly Edit[],
  draw: (between: string) => string,
): string {
  let drawn = ''
  let end = 0
  for (const {from, to, put} of edits.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < end) continue
    drawn += draw(text.slice(end, from)) + put
    end = to
  }
  return drawn + draw(text.slice(end))
}
