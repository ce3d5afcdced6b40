import type {KnownPullRequests, PullRequestState} from '../../../relay/pull-requests.ts'
import {NO_PULL_REQUESTS} from '../../../relay/pull-requests.ts'
import type {Checks} from '../../../store/tables/pull-requests/checks.ts'
import {joinChecks} from '../../../store/tables/pull-requests/checks.ts'
import {
  type PullRequestFacts,
  joinFacts,
  pictureOf,
} from '../../../store/tables/pull-requests/facts.ts'
import {
  type PullRequestKey,
  pullRequestKey,
  repoOfKey,
} from '../../../store/tables/pull-requests/key.ts'
import {namedKeys} from '../../../store/tables/pull-requests/naming.ts'
import type {PullRequestStore, Speaker} from '../../../store/tables/pull-requests/pull-requests.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import type {Send, SendState} from '../../../store/tables/work/send.ts'
import type {SendStore} from '../../../store/tables/work/sends.ts'
import type {SettingsOf} from '../../channel-settings.ts'
import {type Need, standingOf} from './standing.ts'

/** One pull request that a link has named, as it stands, and what its agent was told of it. */
export interface Reading {
  key: PullRequestKey
  state: PullRequestState
  /** What the agent was not told of. */
  open: readonly Need[]
  /** What nobody has tried to tell it of: what somebody took back is not sent by itself. */
  untold: readonly Need[]
  /** How often it was told something by nobody's hand. */
  automatic: number
}

export interface ReadingDeps {
  pullRequests: Pick<PullRequestStore, 'factsOf' | 'checksOf' | 'unshown'>
  sends: Pick<SendStore, 'fixes'>
  settingsOf: SettingsOf
  /** Whose name bears what nobody sent. */
  botUserIn: (team: string) => string | undefined
}

/** So often the agent is told by itself of one pull request: it must not run in circles. */
export const MOST_TRIES = 3

/** It has not got there, and never will: the same may be sent once more. */
const LOST: readonly SendState[] = ['refused', 'cancelled']

/**
 * The key of the message about one need: of one agent, wherever it is shown. One that was lost may be sent again, as another
 * one.
 */
export function fixKey(link: Link, key: PullRequestKey, need: string, round: number): string {
  return JSON.stringify(['fix', link.place.team, agentOf(link), key, need, round])
}

function agentOf({id, threadId}: Link): string {
  return threadId ?? id
}

/** All that is known of the pull requests of a link, from hooks whose word counts for it. */
export async function readPullRequests(
  deps: ReadingDeps,
  link: Link,
): Promise<ReadonlyMap<PullRequestKey, Reading>> {
  const keys = namedKeys(link)
  const {team, channel} = link.place
  const known = keys.length === 0 ? [] : await deps.pullRequests.factsOf(team, keys)
  if (known.length === 0) return new Map()
  const counts = createReach(deps, link)
  const [sends, {values}] = await Promise.all([
    deps.sends.fixes(link),
    deps.settingsOf(team, channel),
  ])
  const readings = new Map<PullRequestKey, Reading>()
  for (const [key, said] of Map.groupBy(known, (one) => one.key)) {
    const facts = await joined(said, counts, ({facts: one}) => one, joinFacts)
    if (facts === undefined) continue
    const checks = await readChecks(deps, team, key, facts, counts)
    const {standing, needs} = standingOf(facts, checks)
    const told = toldOf(sends, key)
    const isSent = ({key: need}: Need): boolean =>
      (told.get(need) ?? []).some(({state}) => !LOST.includes(state) && state !== 'kept')
    const open = needs.filter((need) => !isSent(need))
    const untold = needs.filter(({key: need}) => !told.has(need))
    const bot = deps.botUserIn(team)
    const all = [...told.values()].flat()
    const automatic = all.filter(({sender}) => sender === bot).length
    const isTired = values.fixPullRequests && automatic >= MOST_TRIES && open.length > 0
    const state: PullRequestState = {
      ...standing,
      ...(needs.length > 0 && {fix: open.length > 0 ? ('wanted' as const) : ('sent' as const)}),
      ...(isTired && {tries: automatic}),
    }
    readings.set(key, {key, state, open, untold, automatic})
  }
  return readings
}

/** The same as the cards need it. */
export async function knownPullRequests(deps: ReadingDeps, link: Link): Promise<KnownPullRequests> {
  const addresses = [...link.pullRequests.map(({address}) => address), link.pullRequest ?? '']
  if (link.pullRequest === undefined && link.pullRequests.length === 0) return NO_PULL_REQUESTS
  // What is said while the rest is read is news for the next time.
  const news = await deps.pullRequests.unshown(link.id)
  const readings = await readPullRequests(deps, link)
  const states = addresses.flatMap((address): [string, PullRequestState][] => {
    const reading = readings.get(pullRequestKey(address) ?? '')
    return reading === undefined ? [] : [[address, reading.state]]
  })
  return {states: new Map(states), news}
}

/** The rounds in which the agent was told of each need. */
function toldOf(sends: readonly Send[], key: PullRequestKey): ReadonlyMap<string, Send[]> {
  const told = new Map<string, Send[]>()
  for (const send of sends) {
    const [, , , of, need] = JSON.parse(send.inboxKey) as unknown[]
    if (of !== key || typeof need !== 'string') continue
    told.set(need, [...(told.get(need) ?? []), send])
  }
  return told
}

/** How often it was told of that in vain: the next round. */
export async function roundOf(
  {sends}: Pick<ReadingDeps, 'sends'>,
  link: Link,
  key: PullRequestKey,
  need: string,
): Promise<number> {
  const told = toldOf(await sends.fixes(link), key).get(need) ?? []
  const isLost = told.every(({state}) => LOST.includes(state))
  return isLost ? told.length : told.length - 1
}

type Counts = (hook: Speaker) => Promise<boolean>

/** What a hook says counts for the project of its channel, as that is now, or in the whole workspace. */
export function createReach(
  {settingsOf}: Pick<ReadingDeps, 'settingsOf'>,
  {place, projectId}: Link,
): Counts {
  const byChannel = new Map<string, Promise<boolean>>()
  const isOfProject = async (channel: string): Promise<boolean> => {
    const {values} = await settingsOf(place.team, channel)
    return values.projectId !== undefined && values.projectId === projectId
  }
  return async ({channel, isWide}) => {
    if (isWide) return true
    const known = byChannel.get(channel) ?? isOfProject(channel)
    byChannel.set(channel, known)
    return known
  }
}

async function readChecks(
  {pullRequests}: ReadingDeps,
  team: string,
  key: PullRequestKey,
  facts: PullRequestFacts,
  counts: Counts,
): Promise<Checks | undefined> {
  const sha = pictureOf(facts).head
  const all = await pullRequests.checksOf(team, {repo: repoOfKey(key), sha})
  return joined(all, counts, ({checks}) => checks, joinChecks)
}

/** What several hooks say, as if it were one's: the newest of each counts. */
async function joined<Row extends {hook: Speaker}, Value>(
  rows: readonly Row[],
  counts: Counts,
  valueOf: (row: Row) => Value,
  join: (a: Value, b: Value) => Value,
): Promise<Value | undefined> {
  let all: Value | undefined
  for (const row of rows) {
    if (!(await counts(row.hook))) continue
    all = all === undefined ? valueOf(row) : join(all, valueOf(row))
  }
  return all
}
