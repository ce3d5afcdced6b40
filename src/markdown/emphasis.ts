/** Two runs of marks around words that are emphasised, strong or struck. */
interface Emphasis {
  openAt: number
  closeAt: number
  /** How many marks of each run belong to it. */
  size: number
}

interface Run {
  at: number
  length: number
}

/**
 * Pairs `*`, `_` and `~` outside of what `isTaken` covers. Runs of different marks are paired
 * independently: for a reader of plain words it is the same, and it takes linear time.
 */
export function pairEmphasis(
  text: string,
  isTaken: (at: number) => boolean,
): {pairs: Emphasis[]; unclosed: number[]} {
  const open: Record<string, Run[]> = {'*': [], _: [], '~': []}
  const pairs: Emphasis[] = []
  for (const match of text.matchAll(/\\[^]|\*+|_+|~+/g)) {
    const [run] = match
    const mark = run.charAt(0)
    const at = match.index
    const stack = open[mark]
    if (stack === undefined || isTaken(at)) continue
    if (mark === '~' && run.length > 2) continue
    const {opens, closes} = flanking(text, at, run.length)
    let left: Run = {at, length: run.length}
    if (closes) left = closeWith(left, stack, pairs)
    if (opens && left.length > 0) stack.push(left)
  }
  return {pairs, unclosed: Object.values(open).flatMap((runs) => runs.map((run) => run.at))}
}

function closeWith(closer: Run, stack: Run[], pairs: Emphasis[]): Run {
  let {at, length} = closer
  while (length > 0) {
    const opener = stack.at(-1)
    if (opener === undefined) break
    const size = Math.min(2, opener.length, length)
    pairs.push({openAt: opener.at + opener.length - size, closeAt: at, size})
    opener.length -= size
    if (opener.length === 0) stack.pop()
    at += size
    length -= size
  }
  return {at, length}
}

/** https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run */
function flanking(text: string, at: number, length: number): {opens: boolean; closes: boolean} {
  const before = text.charAt(at - 1)
  const after = text.charAt(at + length)
  const spaceBefore = before === '' || /\s/.test(before)
  const spaceAfter = after === '' || /\s/.test(after)
  const signBefore = SIGN.test(before)
  const signAfter = SIGN.test(after)
  const left = !spaceAfter && (!signAfter || spaceBefore || signBefore)
  const right = !spaceBefore && (!signBefore || spaceAfter || signAfter)
  if (text.charAt(at) !== '_') return {opens: left, closes: right}
  return {opens: left && (!right || signBefore), closes: right && (!left || signAfter)}
}

const SIGN = /[\p{P}\p{S}]/u
