import {type MisplacedDeps, placedOf} from '../../agents/follow.ts'
import {startOfDayMs} from '../../inbox/due-times.ts'
import {type Listed, drawList} from '../../slack/draw/list.ts'
import {RUNNING, failedSince, groupOf} from '../../slack/draw/standing.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import {texts} from '../../slack/texts.ts'
import type {LinkLists, PageStart} from '../../store/tables/work/link-lists.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {NotificationStore} from '../../store/tables/work/notifications.ts'

/** A page of a list of work, for somebody who stands somewhere. */
export type WorkLists = (
  listed: Listed,
  asked: {team: string; channel: string; user: string},
  from?: PageStart,
) => Promise<ActResult>

interface WorkListsOptions extends Pick<Tools, 'access' | 'permalinks' | 'webUrl' | 'zoneOf'> {
  deps: MisplacedDeps & {lists: LinkLists; notifications: NotificationStore}
}

const PER_PAGE = 10
/** Of somebody's own, among which some are looked for. */
const AT_ONCE = 100
export function createWorkLists(options: WorkListsOptions): WorkLists {
  const {deps, access, permalinks, webUrl, zoneOf} = options

  const own = async (
    {team, channel, user}: {team: string; channel: string; user: string},
    {filter}: Listed,
    from: PageStart | undefined,
  ): Promise<Page> => {
    const isKnown = access.remembering(user, channel)
    const failedSinceMs = failedSince(startOfDayMs(Date.now(), await zoneOf(user)))
    const isMeant = async (link: Link): Promise<boolean> =>
      (filter === 'all' || groupOf(link, failedSinceMs) === filter) && isKnown(link.place.channel)
    const limit = filter === 'all' ? PER_PAGE : AT_ONCE
    return chosenPage((page) => deps.lists.ofStarter({team, user}, page), isMeant, {limit, from})
  }

  return async (listed, asked, from) => {
    const {kind, filter} = listed
    const {team, channel} = asked
    const {links: found, next} =
      kind === 'mine'
        ? await own(asked, listed, from)
        : await deps.lists.inChannel({team, channel}, RUNNING, {limit: PER_PAGE, from})
    const links = await placedOf(deps, found)
    if (links.length === 0 && next === undefined && filter === 'all') {
      const {noneHere, noneMine, noMore} = texts.commands.list
      const none = {here: noneHere, mine: noneMine, tasks: texts.talk.taskList.none}[kind]
      return from === undefined ? {answer: {text: none}, inPlace: true} : {answer: {text: noMore}}
    }
    const asking = await deps.notifications.asking(links.map(({id}) => id))
    const rows = await Promise.all(
      links.map(async (link) => {
        const {channel: at, slackThread} = link.place
        const isHere = at === channel
        const notification = isHere ? asking.get(link.id) : undefined
        const permalink = await permalinks.find({channel: at, slackThread})
        return {link, notification, permalink, isHere}
      }),
    )
    return {answer: drawList({...listed, rows, from, next}, {webUrl}), inPlace: true}
  }
}

interface Page {
  links: readonly Link[]
  next: PageStart | undefined
}

/** A page of those that are meant: what is left out makes room for what comes behind it. */
async function chosenPage(
  read: (page: {limit: number; from: PageStart | undefined}) => ReturnType<LinkLists['ofStarter']>,
  isMeant: (link: Link) => Promise<boolean>,
  {limit, from}: {limit: number; from: PageStart | undefined},
): Promise<Page> {
  const links: Link[] = []
  for (let start = from; ;) {
    const {links: found, next, behind} = await read({limit, from: start})
    for (const link of found) {
      if (!(await isMeant(link))) continue
      links.push(link)
      const isLast = next === undefined && link === found.at(-1)
      if (links.length === PER_PAGE) return {links, next: isLast ? undefined : behind.get(link.id)}
    }
    if (next === undefined) return {links, next}
    start = next
  }
}
