import {createPoller} from '../../async/poller.ts'
import {automaticNeeds} from '../../agents/sends/pull-requests/fixing.ts'
import {fixRowOf} from '../../agents/sends/pull-requests/fix-rows.ts'
import {type ReadingDeps, readPullRequests} from '../../agents/sends/pull-requests/reading.ts'
import {type PullRequestKey, pullRequestKey} from '../../store/tables/pull-requests/key.ts'
import type {News} from '../../store/tables/pull-requests/pull-requests.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Tables} from '../../store/tables.ts'

/** Brings what code hosts have said to the cards that show it, and to agents where their channel wants that. */
interface PullRequestKeeper extends AsyncDisposable {
  /** Something was said, or a link has named another one. */
  wake: () => void
}

interface KeeperOptions {
  pullRequests: Tables['pullRequests']
  settingsOf: ReadingDeps['settingsOf']
  botUserIn: ReadingDeps['botUserIn']
  /** Its workspaces. */
  teams: () => readonly string[]
  /** What is written of one of them; `undefined` where somebody else works for it by now. */
  tablesOf: (team: string) => Tables | undefined
  show: (linkId: string) => Promise<void>
  /** Something was said of pull requests of this link. */
  onSaid: (link: Link) => void
  /** A row of this workspace waits in the inbox. */
  onRow: (team: string) => void
  /** It looks so often though nobody wakes it: who took a delivery may have died before it could tell. */
  atLeastEveryMs: number
  log: {error(details: object, message: string): void}
}

const TROUBLE_MS = 2000
/** So many links are looked at side by side. */
const AT_ONCE = 8

/**
 * What was said stands in the tables before its sender hears that it was taken. So whoever dies anywhere behind that is
 * followed by somebody who does the same: rows of the inbox have keys, and cards show the newest state.
 */
export function createPullRequestKeeper(options: KeeperOptions): PullRequestKeeper {
  const {pullRequests, settingsOf, botUserIn, teams, tablesOf, show, onRow, log} = options

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    for (;;) {
      const news = await pullRequests.unheeded(teams())
      const byLink = [...Map.groupBy(news, ({linkId}) => linkId)]
      if (byLink.length === 0) break
      const lanes = Array.from({length: AT_ONCE}, async () => {
        for (let next = byLink.pop(); next !== undefined && !signal.aborted; next = byLink.pop()) {
          await heed(...next)
        }
      })
      const ends = await Promise.allSettled(lanes)
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      if (signal.aborted) return undefined
    }
    return options.atLeastEveryMs === Infinity ? undefined : options.atLeastEveryMs
  }

  const poller = createPoller({
    look,
    onFailure: (error) =>
      log.error({err: error}, 'What was said of pull requests is not shown yet'),
    retryMs: TROUBLE_MS,
  })

  const heed = async (linkId: string, news: readonly News[]): Promise<void> => {
    const [{team} = {team: ''}] = news
    const own = tablesOf(team)
    if (own === undefined) return
    const link = await own.links.byId(linkId)
    if (link !== undefined) {
      const {values} = await settingsOf(team, link.place.channel)
      if (values.fixPullRequests) await haveFixed(own, link, news)
      await show(linkId)
      options.onSaid(link)
    }
    await own.pullRequests.heeded(news)
  }

  /** A need that is not to be said yet when its row's turn comes gets another row by whatever is said next. */
  const haveFixed = async (own: Tables, link: Link, news: readonly News[]): Promise<void> => {
    const readings = await readPullRequests({...own, settingsOf, botUserIn}, link)
    for (const {key, version} of news) {
      const needs = automaticNeeds(link, readings.get(key))
      if (needs.length === 0 || !(await isItsAgents(own, link, key))) continue
      for (const need of needs) {
        await own.inbox.add(fixRowOf(link, {key, need: need.key, version}), Date.now())
      }
      onRow(link.place.team)
    }
  }

  /** Others may only have spoken of it, and one agent may be followed in several places. */
  const isItsAgents = async (own: Tables, link: Link, key: PullRequestKey): Promise<boolean> => {
    for (const id of await own.pullRequests.namers(link.place.team, key)) {
      const namer = await own.links.byId(id)
      if (namer?.pullRequests.some(({address}) => pullRequestKey(address) === key) !== true)
        continue
      return id === link.id
    }
    return false
  }

  return {wake: poller.wake, [Symbol.asyncDispose]: () => poller[Symbol.asyncDispose]()}
}
