/** The most similar ones first, without what is hardly similar; where all are so, the least unlike of them. */
export function nearest(names: readonly string[], wanted: string, count = 3): string[] {
  const all = byDistance(names, wanted)
  const near = all.filter(({isNear}) => isNear)
  return (near.length > 0 ? near : all).slice(0, count).map(({name}) => name)
}

/** What somebody may have meant by a slip of the pen; `undefined` when nothing is near. */
export function nearestOne(names: readonly string[], wanted: string): string | undefined {
  return byDistance(names, wanted).find(({isNear}) => isNear)?.name
}

/** Whether the one is the other but for a slip or two: closer than what {@link nearestOne} takes. */
export function isSlip(name: string, word: string): boolean {
  const length = Math.max(name.length, word.length)
  const slips = Math.max(1, Math.floor(length / LETTERS_PER_SLIP))
  return distanceBetween(name.toLowerCase(), word.toLowerCase()) <= slips
}

const LETTERS_PER_SLIP = 4

function byDistance(names: readonly string[], wanted: string) {
  const word = wanted.toLowerCase()
  return [...new Set(names)]
    .map((name) => {
      const distance = distanceBetween(name.toLowerCase(), word)
      return {name, distance, isNear: distance <= Math.ceil(Math.max(name.length, word.length) / 2)}
    })
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
}

const MAX_COMPARED = 60

/** Letters to put in, take out, change or swap with their neighbour until the one is the other. */
function distanceBetween(long: string, other: string): number {
  const a = Array.from(long.slice(0, MAX_COMPARED))
  const b = Array.from(other.slice(0, MAX_COMPARED))
  const rows: number[][] = [b.map((_, index) => index)]
  rows[0]?.push(b.length)
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i])
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)]
      rows[i]?.push(Math.min(...steps, isSwap ? at(i - 2, j - 2) + 1 : Infinity))
    }
  }
  return at(a.length, b.length)
}
