import {createHash} from 'node:crypto'
import type {Entry} from '../../platform/model.ts'
import type {Link, NamedPullRequest} from '../../store/tables/work/link.ts'
import type {LinkKeeper} from '../link-keeper.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import {USUAL, type WantedPost} from '../post.ts'
import type {PullRequestState} from '../pull-requests.ts'
import type {Timeline} from '../timeline/timeline.ts'

/** The path of a pull request's page, by whatever name the code host has for it. */
const ADDRESS =
  /https:\/\/[a-z0-9.-]+(?::\d+)?\/[\w.~%/-]+?\/(?:pull|pulls|pull-requests|merge_requests)\/\d+/gi

/** A reply that names more of them is a list, and a link that has so many cards gets no more. */
const MAX_OF_REPLY = 3
const MAX_OF_LINK = 30
/** What is longer is no address that anybody would have. */
const MAX_ADDRESS = 300

/** Of a longer reply only its end is looked through: so much of it is told in messages at most. */
const MAX_READ = 100_000

/** The last pull request that a text names, as its address; `undefined` when it names none. */
export function pullRequestIn(text: string): string | undefined {
  return addressesIn(text).at(-1)
}

function addressesIn(text: string): readonly string[] {
  const all = text.slice(-MAX_READ).match(ADDRESS) ?? []
  return all.filter(({length}) => length <= MAX_ADDRESS)
}

export interface Naming {
  /** Notes what a reply names. */
  note(entry: Pick<Entry, 'id' | 'text'>, timeline: Timeline): void
  /** Ahead of the books. */
  named(): readonly NamedPullRequest[]
  /** The addresses of those whose card has no place yet. */
  due(): readonly string[]
  /** Says where the cards of these stand. False: there are none. */
  place(addresses: readonly string[], card: 'called' | 'own'): boolean
}

/** What replies name. Each address has one card, also when the note is on its way while the next reply comes. */
export function createNaming(keeper: Pick<LinkKeeper, 'link' | 'note'>): Naming {
  let {pullRequests} = keeper.link()
  const note: Naming['note'] = (entry, {settled}) => {
    const link = keeper.link()
    const last = pullRequestIn(entry.text)
    if (last === undefined) return
    const delivery = settled.find(({entryId}) => entryId === entry.id)?.delivery
    const fresh = delivery === undefined ? [] : toFresh(entry.text, pullRequests, link, delivery)
    if (fresh.length === 0 && last === link.pullRequest) return
    pullRequests = [...pullRequests, ...fresh]
    keeper.note({pullRequest: last, ...(fresh.length > 0 && {pullRequests})})
  }
  const place: Naming['place'] = (addresses, card) => {
    if (addresses.length === 0) return false
    pullRequests = pullRequests.map((named) =>
      addresses.includes(named.address) ? {...named, card} : named,
    )
    keeper.note({pullRequests})
    return true
  }
  const due: Naming['due'] = () =>
    pullRequests.flatMap(({address, card}) => (card === 'due' ? [address] : []))
  return {note, named: () => pullRequests, due, place}
}

/** A task's agent has its cards where it is, and a review needs none of what it reviews. */
function toFresh(
  text: string,
  standing: readonly NamedPullRequest[],
  {taskId, notes}: Link,
  delivery: string,
): NamedPullRequest[] {
  const known = new Set(standing.map(({address}) => address.toLowerCase()))
  const isShown = taskId === undefined && notes?.reviews === undefined
  const room = isShown ? Math.min(MAX_OF_REPLY, MAX_OF_LINK - known.size) : 0
  const named = new Map(addressesIn(text).map((it) => [it.toLowerCase(), it]))
  return [...named]
    .filter(([name]) => !known.has(name))
    .slice(0, Math.max(0, room))
    .map(([, address]) => ({address, delivery, card: 'due' as const}))
}

/** Stands in the key of its card, and in the buttons there. */
export function markOf(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('base64url').slice(0, 16)
}

/** The cards that an earlier version has put, or was about to put, under the reply of this delivery. */
export function cardsBelow(link: Link, delivery: string): WantedPost[] {
  return link.pullRequests
    .filter((named) => named.card === undefined && named.delivery === delivery)
    .map(({address}) => ({...toCard(link, address), delivery, isOrdered: true}))
}

/** How pull requests stand, by their addresses. */
export type States = ReadonlyMap<string, PullRequestState>

/** The cards that stand by themselves: those that no call carries. */
export function ownCards(
  link: Link,
  notifications: readonly Notification[],
  states: States,
): WantedPost[] {
  const called = new Set(notifications.flatMap(({words}) => words.cards ?? []))
  return link.pullRequests
    .filter(({card}) => card === 'own' || (card === 'due' && link.state !== 'open'))
    .filter(({address}) => !called.has(address))
    .map(({address}) => toCard(link, address, states.get(address)))
}

/** It changes with what its code host says alone, and is right until then: nobody has to look at it again. */
function toCard({id: linkId}: Link, address: string, state?: PullRequestState): WantedPost {
  return {
    ...USUAL,
    key: `pr:${markOf(address)}`,
    content: {kind: 'pull-request', linkId, address, ...(state !== undefined && {state})},
    isFinal: true,
    rank: 'state',
  }
}
