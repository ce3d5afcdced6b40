import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'

/** Where people are who should hear of it: in the room, once the work has moved there. */
export async function conversationOf(links: Pick<LinkStore, 'inRoom'>, link: Link): Promise<Link> {
  const {room, place} = link
  if (room?.isMoved !== true) return link
  return (await links.inRoom({team: place.team, channel: room.channel})) ?? link
}
