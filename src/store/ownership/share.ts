/** What stands in the database of all instances together. */
export interface Sight {
  /** Names that are to be somebody's, and how many of them nobody has. */
  names: number
  free: number
  /** Instances that live, and which of them this one is, counted from 0 by age. */
  living: number
  rank: number
}

/** What this instance had before it looked, so that what it has given back by then is not thought to be another's. */
interface Hands {
  working: number
  /** Being given back: it takes as long as the owner takes. */
  leaving: number
}

interface Step {
  /** So many are to be given back now. */
  give: number
  /** So many are missing. */
  lack: number
}

/** The oldest get what cannot be shared out evenly, so that all agree who that is. */
export function shareOf({names, living, rank}: Sight): number {
  return Math.floor(names / living) + (rank < names % living ? 1 : 0)
}

const PROBE = 4

/**
 * What one instance does about its share, look by look. First it gives a part: one who has come and takes nothing, as it
 * dies again and again, must not leave everything idle. The rest goes as soon as anything of that is taken: to wait for
 * all of it would be to wait for the slowest to leave, twice.
 */
export function createSharing(): (sight: Sight, hands: Hands) => Step {
  /** How many others had when the first part was given. */
  let othersHad: number | undefined

  return (sight, {working, leaving}) => {
    const surplus = working - shareOf(sight)
    if (surplus <= 0) {
      othersHad = undefined
      return {give: 0, lack: -surplus}
    }
    const others = sight.names - sight.free - working - leaving
    const liesAround = sight.free > 0 || leaving > 0
    if (othersHad !== undefined && (others > othersHad || !liesAround)) {
      return {give: surplus, lack: 0}
    }
    if (liesAround) return {give: 0, lack: 0}
    othersHad = others
    return {give: Math.ceil(surplus / PROBE), lack: 0}
  }
}
