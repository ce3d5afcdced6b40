import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'

/** What leads from work to its room, and back. */
export interface RoomDeps {
  links: Pick<LinkStore, 'byId'>
  rooms: Pick<RoomStore, 'at' | 'of'>
}

/** What a room's link costs counts for the one that began the work, in the channel that the room was opened from. */
export async function beginningOf({links, rooms}: RoomDeps, link: Link): Promise<Link> {
  if (link.place.isRoom !== true) return link
  const room = await rooms.at(link.place)
  return (room && (await links.byId(room.linkId))) ?? link
}

/** Where people are who should hear of it: in the room, once the work has moved there. */
export async function conversationOf({links, rooms}: RoomDeps, link: Link): Promise<Link> {
  const {room, threadId, place} = link
  if (room?.isMoved !== true || threadId === undefined) return link
  const {roomLinkId} = (await rooms.of({team: place.team, threadId})) ?? {}
  return (roomLinkId === undefined ? undefined : await links.byId(roomLinkId)) ?? link
}
