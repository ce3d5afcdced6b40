/**
 * Cuts Markdown where one part cannot mean anything for another, so that of a text that grows only
 * the last part is parsed anew. A cut stands before plain text or a heading after a blank line:
 * whatever was open before (a list, a quote, a table) ends there. What reaches across blank lines
 * (fences, raw HTML, definitions of links and footnotes) is not cut.
 */
export function markdownParts(text: string): string[] {
  if (reachesFar.test(text)) return [text]
  const parts: string[] = []
  let from = 0
  let at = 0
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    if (fence === undefined && isAfterBlank && startsAfresh.test(line)) {
      parts.push(text.slice(from, at))
      from = at
    }
    fence = fenceAfter(fence, line)
    isAfterBlank = line.trim() === ''
    at += line.length + 1
  }
  parts.push(text.slice(from))
  return parts
}

/** Raw HTML, a definition of a link or a footnote, and carriage returns, which end lines too. */
const reachesFar = /^[\s>]*(?:<[a-z!?/]|\[[^\]\n]*\]:)|\r/im
/** A letter, a heading or inline marks: nothing that an open list, quote or table could take up. */
const startsAfresh = /^(?:\p{L}|#{1,6} |\*\*|`[^`]|\p{Extended_Pictographic})/u
const opensFence = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})/
const closesFence = /^[\s>]*(`{3,}|~{3,})\s*$/

function fenceAfter(fence: string | undefined, line: string): string | undefined {
  if (fence === undefined) return opensFence.exec(line)?.[1]
  const closing = closesFence.exec(line)?.[1]
  return closing?.startsWith(fence) === true ? undefined : fence
}
