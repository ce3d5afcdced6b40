import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'

/** What leads from work to its room. */
export interface RoomDeps {
  links: Pick<LinkStore, 'byId'>
  rooms: Pick<RoomStore, 'of'>
}

/** Where people are who should hear of it: in the room, once the work has moved there. */
export async function conversationOf({links, rooms}: RoomDeps, link: Link): Promise<Link> {
  const {room, threadId, place} = link
  if (room?.isMoved !== true || threadId === undefined) return link
  const {roomLinkId} = (await rooms.of({team: place.team, threadId})) ?? {}
  return (roomLinkId === undefined ? undefined : await links.byId(roomLinkId)) ?? link
}
