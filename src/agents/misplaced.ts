import type {Knowing} from './who-may-know.ts'
import {FOLLOWED, type Link} from '../store/tables/work/link.ts'
import type {LinkStore} from '../store/tables/work/links.ts'

export interface MisplacedDeps {
  links: Pick<LinkStore, 'change'>
  knowing: Pick<Knowing, 'isMisplaced'>
  show: (linkId: string) => Promise<void>
}

/**
 * What is followed may have become nobody's business but another place's since, while it rested: nobody tells of that. Whoever is about
 * to show or to do something about it ends it here first.
 *
 * @returns the link as it is then.
 */
export async function endIfMisplaced(
  {links, knowing, show}: MisplacedDeps,
  link: Link,
): Promise<Link> {
  const {id, place, threadId, requestId, notice} = link
  if (threadId === undefined || !requestId.startsWith(FOLLOWED)) return link
  if (notice?.code === 'misplaced') return link
  if (!(await knowing.isMisplaced(place, {id: threadId, personal: false}))) return link
  const ended = {state: 'ended', notice: {code: 'misplaced'}} as const
  await links.change(id, ended)
  await show(id)
  return {...link, ...ended}
}
