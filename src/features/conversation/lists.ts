import {type StopDesk, stopWork} from '../../agents/stopping.ts'
import {ABOVE_NEED} from '../../platform/shown-status.ts'
import type {LinkLists, PageStart} from '../../store/link-lists.ts'
import type {Link} from '../../store/link.ts'
import type {PingStore} from '../../store/pings.ts'
import type {Access} from '../../slack/access.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import type {Press} from '../../slack/deeds/press.ts'
import {type ListKind, drawList, listTitle, readListValue} from '../../slack/draw/list.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from '../../slack/gate/act.ts'
import {type Checks, standingOfLink} from '../../slack/gate/checks.ts'
import {toOutcome} from './unsure.ts'

interface ListActsOptions {
  act: MakeAct
  checks: Checks
  desk: StopDesk & {lists: LinkLists; pings: PingStore}
  access: Access
  permalinks: Permalinks
  webUrl: string | undefined
}

const PER_PAGE = 10
/** What has come to rest runs no more; work that waits for somebody does, whatever else is said of it but this. */
const RUNNING = {
  statuses: ['active', 'working', 'waiting', 'pending_user', 'ready_for_review'],
  unneeded: ABOVE_NEED,
}

/** Lists of work, and the buttons in their rows. */
export function createListActs(options: ListActsOptions): Act[] {
  const {act, checks, desk, access, permalinks, webUrl} = options

  const pageOf = async (
    kind: ListKind,
    {team, channel, user}: {team: string; channel: string; user: string},
    from: PageStart | undefined,
  ): Promise<Outcome> => {
    const isKnown = access.remembering(user, channel)
    const {links, next} =
      kind === 'mine'
        ? await knownPage((page) => desk.lists.ofStarter({team, user}, page), isKnown, from)
        : await desk.lists.inChannel({team, channel}, RUNNING, {limit: PER_PAGE, from})
    if (links.length === 0) {
      const {noneHere, noneMine, noMore} = texts.commands.list
      const none = {here: noneHere, mine: noneMine, tasks: texts.around.tasks.none}[kind]
      return {answer: {text: from !== undefined ? noMore : none}}
    }
    const asking = await desk.pings.asking(links.map(({id}) => id))
    const rows = await Promise.all(
      links.map(async (link) => {
        const {channel: at, slackThread: ts} = link.place
        const isHere = at === channel
        const ping = isHere ? asking.get(link.id) : undefined
        return {link, ping, permalink: await permalinks.find({channel: at, slackThread: ts})}
      }),
    )
    return {answer: drawList({kind, rows, next}, {webUrl})}
  }

  /** A row stands far from its work: it is of this workspace, and of this channel or of who presses. */
  const onListed: Check<Press, Link> = {
    name: 'on work here or of their own',
    look: async (press) => {
      const link = await desk.links.byId(press.value.split('.', 1)[0] ?? '')
      const isOurs = link?.place.team === press.team
      const isClose = link?.place.channel === press.channel || link?.startedBy === press.user
      if (link === undefined || !isOurs) return new Refusal({text: texts.notHere})
      return isClose ? link : new Refusal({text: texts.commands.list.notYours})
    },
    standing: standingOfLink,
  }

  return [
    act('command', '/bosun status', checks.member, (deed) => pageOf('here', deed, undefined)),
    act('command', '/bosun tasks', checks.member, (deed) => pageOf('tasks', deed, undefined)),
    act('command', '/bosun mine', checks.member, (deed) => pageOf('mine', deed, undefined)),
    act('press', ACTIONS.listMore, checks.member, async ({value, channel, team, user}) => {
      const start = readListValue(value)
      if (start === undefined || channel === undefined) return {answer: {text: texts.notHere}}
      return pageOf(start.kind, {team, channel, user}, start.from)
    }),
    act('press', ACTIONS.listStop, onListed, async ({user}, link, handling) => {
      const result = await stopWork(desk, link, user, handling)
      const answer = {text: texts.commands.list.stopping(listTitle(link))}
      return toOutcome(result) ?? {answer}
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
