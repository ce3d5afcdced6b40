/** Options as the app answered them for an external select. */
type Options = Record<string, unknown>[]

/** A select that one member looks at: in a message (its `ts`) or in a view (its id). */
interface Place {
  userId: string
  placeId: string
  blockId: string
  actionId: string
}

/** What external selects showed last: only that can be chosen. */
export interface Offers {
  keep(place: Place, options: Options): void
  of(place: Place): Options
}

export function createOffers(): Offers {
  const kept = new Map<string, Options>()
  const keyOf = ({userId, placeId, blockId, actionId}: Place): string =>
    JSON.stringify([userId, placeId, blockId, actionId])
  return {
    keep: (place, options) => void kept.set(keyOf(place), options),
    of: (place) => kept.get(keyOf(place)) ?? [],
  }
}
