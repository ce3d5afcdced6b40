import {type StopDeps, stopWork} from '../../agents/stopping.ts'
import {ABOVE_NEED} from '../../platform/shown-status.ts'
import type {LinkLists, PageStart} from '../../store/tables/work/link-lists.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {NotificationStore} from '../../store/tables/work/notifications.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {type ListKind, drawList, listTitle, readListValue} from '../../slack/draw/list.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import {toResult} from './unsure.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface ListActsOptions extends ActTools<'access' | 'permalinks' | 'webUrl'> {
  deps: StopDeps & {lists: LinkLists; notifications: NotificationStore}
}

const PER_PAGE = 10
/** What has come to rest runs no more; work that waits for somebody does, whatever else is said of it but this. */
const RUNNING = {
  statuses: ['active', 'working', 'waiting', 'pending_user', 'ready_for_review'],
  unneeded: ABOVE_NEED,
}

/** Lists of work, and the buttons in their rows. */
export function createListActs(options: ListActsOptions): Act[] {
  const {act, checks, deps, access, permalinks, webUrl} = options

  const pageOf = async (
    kind: ListKind,
    {team, channel, user}: {team: string; channel: string; user: string},
    from: PageStart | undefined,
  ): Promise<ActResult> => {
    const isKnown = access.remembering(user, channel)
    const {links, next} =
      kind === 'mine'
        ? await knownPage((page) => deps.lists.ofStarter({team, user}, page), isKnown, from)
        : await deps.lists.inChannel({team, channel}, RUNNING, {limit: PER_PAGE, from})
    if (links.length === 0) {
      const {noneHere, noneMine, noMore} = texts.commands.list
      const none = {here: noneHere, mine: noneMine, tasks: texts.talk.taskList.none}[kind]
      return {answer: {text: from !== undefined ? noMore : none}}
    }
    const asking = await deps.notifications.asking(links.map(({id}) => id))
    const rows = await Promise.all(
      links.map(async (link) => {
        const {channel: at, slackThread: ts} = link.place
        const isHere = at === channel
        const notification = isHere ? asking.get(link.id) : undefined
        return {
          link,
          notification,
          permalink: await permalinks.find({channel: at, slackThread: ts}),
        }
      }),
    )
    return {answer: drawList({kind, rows, next}, {webUrl})}
  }

  /** A row stands far from its work: it is of this workspace, and of this channel or of who presses. */
  const onListed: Check<Press, Link> = {
    name: 'on work here or of their own',
    look: async (press) => {
      const link = await deps.links.byId(press.value.split('.', 1)[0] ?? '')
      const isOurs = link?.place.team === press.team
      const isClose = link?.place.channel === press.channel || link?.startedBy === press.user
      if (link === undefined || !isOurs) return new Refusal({text: texts.notHere})
      return isClose ? link : new Refusal({text: texts.commands.list.notYours})
    },
    standing: standingOfLink,
  }

  return [
    act('command', '/bosun status', checks.member, (interaction) =>
      pageOf('here', interaction, undefined),
    ),
    act('command', '/bosun tasks', checks.member, (interaction) =>
      pageOf('tasks', interaction, undefined),
    ),
    act('command', '/bosun mine', checks.member, (interaction) =>
      pageOf('mine', interaction, undefined),
    ),
    act('press', ACTIONS.listMore, checks.member, async ({value, channel, team, user}) => {
      const start = readListValue(value)
      if (start === undefined || channel === undefined) return {answer: {text: texts.notHere}}
      return pageOf(start.kind, {team, channel, user}, start.from)
    }),
    act('press', ACTIONS.listStop, onListed, async ({user}, link, handling) => {
      const result = await stopWork(deps, link, user, handling)
      const answer = {text: texts.commands.list.stopping(listTitle(link))}
      return toResult(result) ?? {answer}
    }),
  ]
}

/** A page of those that somebody may know of: what is left out makes room for what comes behind it. */
async function knownPage(
  read: (page: {limit: number; from: PageStart | undefined}) => ReturnType<LinkLists['ofStarter']>,
  isKnown: (channel: string) => Promise<boolean>,
  from: PageStart | undefined,
): ReturnType<LinkLists['ofStarter']> {
  const links: Link[] = []
  let start = from
  for (;;) {
    const page = await read({limit: PER_PAGE - links.length, from: start})
    for (const link of page.links) if (await isKnown(link.place.channel)) links.push(link)
    if (page.next === undefined || links.length === PER_PAGE) return {links, next: page.next}
    start = page.next
  }
}
