import {createMemory} from '../../async/memory.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'

/** A room that another instance has opened is known within this time; what is written costs one look in it. */
const FRESH_MS = 1000
/** Channels in which people write. */
const MAX_KNOWN = 10_000

/** Which channels are rooms: of what people write elsewhere without a mention nothing is written down. */
export function createRoomChannels(
  rooms: Pick<RoomStore, 'at'>,
): (of: {team: string; channel: string}) => Promise<boolean> {
  const known = createMemory<Promise<boolean>>({most: MAX_KNOWN})
  return async ({team, channel}) => {
    const key = `${team} ${channel}`
    const before = known.of(key)
    const found = before ?? rooms.at({team, channel}).then((room) => room !== undefined)
    if (before === undefined) {
      known.keep(key, found, FRESH_MS)
      found.catch(() => known.forget(key))
    }
    return found
  }
}
