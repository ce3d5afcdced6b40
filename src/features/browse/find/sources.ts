import {type FollowDeps, placedOf} from '../../../agents/follow.ts'
import type {PlatformClient} from '../../../platform/client.ts'
import type {Thread} from '../../../platform/model.ts'
import type {PageRow} from '../../../slack/draw/list.ts'
import {drawRow} from '../../../slack/draw/list.ts'
import type {Tools} from '../../../slack/gate/tools.ts'
import type {RunStore} from '../../../store/tables/hooks/runs.ts'
import type {PageStart, Searched} from '../../../store/tables/work/link-lists.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import {type Criteria, isLinkMeant, isThreadMeant, mayBeMeant} from './matching.ts'
import {type Reached, lookFurther} from './platform-lists.ts'
import {statusesOf} from './states.ts'
import {drawFound} from './views/found.ts'

/** Who looks, and where what is found will be shown to them alone. */
export interface Asked {
  team: string
  channel: string
  user: string
}

interface SourcesOptions extends Pick<Tools, 'access' | 'permalinks' | 'webUrl'> {
  deps: Pick<FollowDeps, 'knowing' | 'lists' | 'links' | 'show'> & {runs: Pick<RunStore, 'namesOf'>}
}

/** The project whose list is looked through, and the key that it is reached with. */
interface Searching {
  client: Pick<PlatformClient, 'listThreads'>
  projectId: string
  connectionId: string | undefined
}

const PER_PAGE = 10
/** Rows of ours that are read in one go, and how often at most for one page. */
const AT_ONCE = 200
const MAX_READS = 10

/** Where work is found: among what is ours, and on the platform. */
export function createSources({deps, access, permalinks, webUrl}: SourcesOptions) {
  const rowOf = async (link: Link, here: string): Promise<PageRow> => {
    const {channel, slackThread} = link.place
    const permalink = await permalinks.find({channel, slackThread})
    return drawRow({link, notification: undefined, permalink, isHere: channel === here}, {webUrl})
  }

  const read = async (asked: Asked, criteria: Criteria, from: PageStart | undefined) => {
    const links: Link[] = []
    const isKnown = access.remembering(asked.user, asked.channel)
    let start = from
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const page = await deps.lists.toSearch(asked, {limit: AT_ONCE, from: start})
      for (const one of page.found) {
        if (isLinkMeant(one, criteria) && (await isKnown(one.link.place.channel))) {
          links.push(...(await placedOf(deps, [one.link])))
        }
        start = one.start
        if (links.length === PER_PAGE) return {links, next: start}
      }
      if (page.isAll) return {links, next: undefined}
    }
    return {links, next: start}
  }

  /** What is of this channel, and one's own. `next`: there may be more behind it. */
  const ours = async (asked: Asked, criteria: Criteria, from: PageStart | undefined) => {
    const {links, next} = await read(asked, criteria, from)
    return {rows: await Promise.all(links.map((link) => rowOf(link, asked.channel))), next}
  }

  /** What the platform has besides, in no other project than the channel's own. */
  const elsewhere = async (
    asked: Asked,
    criteria: Criteria,
    {client, projectId, connectionId}: Searching,
    on: {from: Reached; room: number},
    signal: AbortSignal,
  ): Promise<{rows: PageRow[]; next: Reached | undefined}> => {
    const {team, channel, user} = asked
    const isKnown = access.remembering(user, channel)

    /** Those that {@link ours} goes by: what it shows stands there, and nowhere else. */
    const standing = async (links: readonly Searched[]): Promise<Searched[]> => {
      const found: Searched[] = []
      for (const one of links) {
        const {place, state, startedBy} = one.link
        const isOurs = state !== 'ended' && (place.channel === channel || startedBy === user)
        if (isOurs && (await isKnown(place.channel))) found.push(one)
      }
      return found
    }

    const choose = async (threads: readonly Thread[]) => {
      const threadIds = threads.map(({id}) => id)
      const links = Map.groupBy(
        await deps.lists.ofThreads({team, threadIds}),
        ({link}) => link.threadId,
      )
      const names = await deps.runs.namesOf({team, threadIds})
      const chosen: {thread: Thread; link: Link | undefined; stoppedBy?: string | undefined}[] = []
      for (const thread of threads) {
        const all = links.get(thread.id) ?? []
        const here = await standing(all)
        if (here.length === 0) {
          const isIt =
            mayBeMeant(thread, criteria, names.get(thread.id)) &&
            isThreadMeant(thread, all, criteria)
          const stoppedBy = all.find(({link}) => link.stoppedBy !== undefined)?.link.stoppedBy
          if (isIt) chosen.push({thread, link: undefined, stoppedBy})
        } else if (!here.some((one) => isLinkMeant(one, criteria))) {
          // What we know ourselves does not say so, but the platform does: whose it is, what it is called now.
          const link = here.find((one) => isLinkMeant(one, criteria, thread))?.link
          if (link !== undefined) chosen.push({thread, link})
        }
      }
      const found = chosen.filter(({link}) => link === undefined).map(({thread}) => thread)
      const hidden = await deps.knowing.hiddenFrom({...asked, connectionId}, found)
      return chosen
        .filter(({thread, link}) => link !== undefined || !hidden.has(thread.id))
        .map(({thread, link, stoppedBy}) => ({
          id: thread.id,
          row: () =>
            link === undefined
              ? Promise.resolve(
                  drawFound(thread, {webUrl}, {automation: names.get(thread.id), stoppedBy}),
                )
              : rowOf(link, channel),
        }))
    }

    const statuses = statusesOf(criteria.sought.state)
    const {rows, next} = await lookFurther({client, projectId, statuses}, on, choose, signal)
    return {rows: await Promise.all(rows.map((row) => row())), next}
  }

  return {ours, elsewhere, perPage: PER_PAGE}
}
