import type {Link, Place} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'

/** The work of a Slack thread, or of the room that it stands in. */
export async function workAt(
  links: Pick<LinkStore, 'byPlace' | 'inRoom'>,
  place: Place,
): Promise<Link | undefined> {
  return (await links.byPlace(place)) ?? (await links.inRoom(place))
}
