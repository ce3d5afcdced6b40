interface PlacesOptions {
  /** Taken at the same time, all together. */
  most: number
  /** The same of those that one has, so that the others find some. */
  mostOfOne: number
}

/** Takes a place for whoever it is, to be given back, once or more often; `undefined`: none is free for them. */
type TakePlace = (whose: string) => (() => void) | undefined

/** For what holds others up as long as it goes on. */
export function createPlaces({most, mostOfOne}: PlacesOptions): TakePlace {
  let taken = 0
  const shares = new Map<string, number>()
  const count = (whose: string, places: number): void => {
    taken += places
    const share = (shares.get(whose) ?? 0) + places
    if (share === 0) shares.delete(whose)
    else shares.set(whose, share)
  }
  return (whose) => {
    if (taken >= most || (shares.get(whose) ?? 0) >= mostOfOne) return undefined
    let isBack = false
    count(whose, 1)
    return () => {
      if (!isBack) count(whose, -1)
      isBack = true
    }
  }
}
