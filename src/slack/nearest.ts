/** The candidate that is the fewest slips of the pen away; `undefined` when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const said = word.toLowerCase().slice(0, MAX_LENGTH)
  let best: {candidate: string; distance: number} | undefined
  for (const candidate of candidates) {
    const distance = slips(said, candidate.toLowerCase().slice(0, MAX_LENGTH))
    const isNear = distance <= Math.max(1, Math.floor(candidate.length / 2))
    if (isNear && distance < (best?.distance ?? Infinity)) best = {candidate, distance}
  }
  return best?.candidate
}

const MAX_LENGTH = 64

/** Letters that are missing, too many, wrong, or swapped with their neighbour. */
function slips(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({length: to.length + 1}, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const ways = [
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      ]
      line.push(Math.min(...ways))
    }
    before = last
    last = line
  }
  return last[to.length] ?? 0
}
