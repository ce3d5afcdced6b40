import type {FollowDeps} from '../../agents/follow.ts'
import {ownProject} from '../../agents/who-may-know.ts'
import {toDeclined} from '../../agents/lifecycle.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import type {PageStart} from '../../store/tables/work/link-lists.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {drawFound, readFindValue, toFindValue} from './views/find.ts'
import {type PageRow, drawPage, drawRow, pageButtons} from '../../slack/draw/list.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {inBold, oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {declinedText, texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {browseTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface FindActsOptions extends ActTools<
  'access' | 'clientOf' | 'permalinks' | 'settingsOf' | 'webUrl'
> {
  deps: Pick<FollowDeps, 'lists' | 'knowing' | 'choices'>
}

interface Asked {
  team: string
  channel: string
  user: string
}

const PER_PAGE = 10
/** Rows of ours that are read in one go, and how often at most for one page. */
const AT_ONCE = 200
const MAX_READS = 10
/** Threads of the project that are looked at, newest first: the API has no search. */
const MAX_THREADS = 300
const THREADS_PER_CALL = 100
const MAX_WORDS = 150
const words = browseTexts.find

/** Looks for work by its words: what we know of it ourselves first, then the titles on the platform. */
export function createFindActs(options: FindActsOptions): Act[] {
  const {act, checks, deps, access, clientOf, settingsOf, permalinks, webUrl} = options

  /** What is ours: of this channel, and one's own. `next`: there may be more behind it. */
  const ours = async (asked: Asked, said: readonly string[], from: PageStart | undefined) => {
    const links: Link[] = []
    const isKnown = access.remembering(asked.user, asked.channel)
    let start = from
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const page = await deps.lists.toSearch(asked, {limit: AT_ONCE, from: start})
      for (const one of page.found) {
        const isIt = isMeant(said, [...textsOf(one.link), one.asked])
        if (isIt && (await isKnown(one.link.place.channel))) links.push(one.link)
        start = one.start
        if (links.length === PER_PAGE) return {links, next: start}
      }
      if (page.isAll) return {links, next: undefined}
    }
    return {links, next: start}
  }

  const isOurs = async ({team, channel, user}: Asked, threadId: string): Promise<boolean> => {
    const here = await deps.lists.ofThread({team, channel, threadId, taskId: undefined})
    const open = await deps.lists.openOfThread(threadId)
    const own = open.filter(({place, startedBy}) => place.team === team && startedBy === user)
    return own.length > 0 || here.some(({state}) => state !== 'ended')
  }

  /** Threads of the channel's project whose titles say so, and that we do not show already. */
  const elsewhere = async (
    asked: Asked,
    said: readonly string[],
    signal: AbortSignal,
  ): Promise<{threads: Thread[]; note: string | undefined}> => {
    const {isConnected, values} = await settingsOf(asked.team, asked.channel)
    if (!isConnected) return {threads: [], note: words.searchedOwn}
    const projectId = await ownProject(deps, asked, values)
    // The channel's own project, and no other.
    if (projectId === undefined) return {threads: [], note: words.searchedOwn}
    const filter = {limit: THREADS_PER_CALL, projectId}
    const threads: Thread[] = []
    const reader = {...asked, connectionId: values.connectionId}
    const toKnown = async (all: Thread[]): Promise<Thread[]> => {
      const hidden = await deps.knowing.hiddenFrom(reader, all)
      return all.filter(({id}) => !hidden.has(id))
    }
    let looked = 0
    try {
      for await (const thread of clientOf(values).listThreads(filter, signal)) {
        looked += 1
        const isIt = isMeant(said, [thread.title ?? '', thread.id])
        if (isIt && !(await isOurs(asked, thread.id))) threads.push(thread)
        if (looked >= MAX_THREADS) {
          return {threads: await toKnown(threads), note: words.newest(MAX_THREADS)}
        }
      }
      return {threads: await toKnown(threads), note: undefined}
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      // What we know ourselves is worth showing without it.
      return {threads: [], note: words.notSearched(escapeMrkdwn(declinedText(toDeclined(error))))}
    }
  }

  const rowOf = async (link: Link, here: string): Promise<PageRow> => {
    const {channel, slackThread} = link.place
    const permalink = await permalinks.find({channel, slackThread})
    return drawRow({link, notification: undefined, permalink, isHere: channel === here}, {webUrl})
  }

  const find = async (
    asked: Asked,
    sought: string,
    from: {start: PageStart | undefined} | {offset: number},
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const said = sought.toLowerCase().split(' ')
    const own = 'start' in from ? await ours(asked, said, from.start) : undefined
    const rows = await Promise.all((own?.links ?? []).map((link) => rowOf(link, asked.channel)))
    let note: string | undefined
    let next = own?.next === undefined ? undefined : toFindValue(own.next, sought)
    if (next === undefined) {
      const offset = 'offset' in from ? from.offset : 0
      const found = await elsewhere(asked, said, signal)
      const shown = found.threads.slice(offset, offset + PER_PAGE - rows.length)
      rows.push(...shown.map((thread) => drawFound(thread, {webUrl})))
      ;({note} = found)
      const behind = offset + shown.length
      if (behind < found.threads.length) next = toFindValue(behind, sought)
    }
    const isFirst = 'start' in from && from.start === undefined
    const shownWords = inBold(sought, MAX_WORDS)
    if (rows.length === 0 && next === undefined) {
      const text = isFirst ? words.none(shownWords) : browseTexts.noMore
      return {answer: {text: note === undefined ? text : `${text}\n${note}`}}
    }
    const first = isFirst ? undefined : toFindValue(undefined, sought)
    const turns = pageButtons(ACTIONS.findMore, {next, first})
    return {
      answer: drawPage({headline: words.headline(shownWords), rows, turns, note}),
      inPlace: true,
    }
  }

  return [
    act('command', '/bosun find', checks.member, async (interaction, _subject, {signal}) => {
      const sought = oneLine(interaction.rest, MAX_WORDS).trim()
      if (sought === '') return {answer: {text: words.usage}}
      const {team, channel, user} = interaction
      return find({team, channel, user}, sought, {start: undefined}, signal)
    }),
    act('press', ACTIONS.findMore, checks.member, async (press, _subject, {signal}) => {
      const {team, channel, user, value} = press
      const page = readFindValue(value)
      if (page === undefined || channel === undefined) return {answer: {text: texts.notHere}}
      return find({team, channel, user}, page.sought, page.from, signal)
    }),
  ]
}

function textsOf({id, threadId, title, projectName, pullRequest}: Link): string[] {
  return [id, threadId, title, projectName, pullRequest].filter((text) => text !== undefined)
}

/** Every word stands somewhere. */
function isMeant(said: readonly string[], all: readonly string[]): boolean {
  const text = all.join('\n').toLowerCase()
  return said.every((word) => text.includes(word))
}
