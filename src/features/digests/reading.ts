import {dayOf} from '../../agents/budgets/periods.ts'
import type {Access} from '../../slack/access.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import {RUNNING} from '../../slack/draw/standing.ts'
import type {Names} from '../../slack/markup/markup.ts'
import type {OwnRow, OwnWork} from '../../slack/own-work.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {SpendingStore} from '../../store/tables/budgets/spendings.ts'
import type {Told} from '../../store/tables/channels/digests.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {NotificationStore} from '../../store/tables/work/notifications.ts'
import {type Section, sectionOf} from './sections.ts'

/** What a digest tells of: from the one before it until it was made. */
interface Period {
  sinceMs: number
  untilMs: number
}

/** Asked of whoever hears of merges: those of pull requests that this channel's work named. */
type MergedPullRequests = (
  channel: {team: string; channel: string},
  period: Period,
) => Promise<readonly {address: string; mergedAtMs: number}[]>

/** All that the digest of a channel tells, newest first. */
export interface ChannelContent {
  sections: Readonly<Record<Section, readonly DigestRow[]>>
  /** Addresses of pull requests. */
  merged: readonly string[]
  /** What was spent in between, in millionths of a dollar; `undefined` where nobody knows. */
  micros: number | undefined
}

export interface DigestRow {
  link: Link
  /** Of its Slack thread, where Slack tells it. */
  permalink: string | undefined
  /** Whom it waits for, as a name that calls nobody; `undefined` where it waits for nobody, or nobody knows. */
  who: string | undefined
}

/** What there is to tell now. Work is told of in its own channel alone, and to whoever began it where they still are. */
export interface DigestReading {
  channel(channel: string, period: Period, micros: number | undefined): Promise<ChannelContent>
  /** What waits on somebody, where `mayKnow` lets them know of it. */
  person(user: string, period: Period, mayKnow: Access['mayKnow']): Promise<readonly OwnRow[]>
  /** What the channel has spent since it was told last, and what it will begin with the next time. */
  spent(channel: string, from: Told, nowMs: number): Promise<{micros: number; dayMicros: number}>
}

interface DigestReadingOptions {
  store: {
    lists: Pick<LinkLists, 'changedIn'>
    notifications: Pick<NotificationStore, 'asking'>
    spendings: Pick<SpendingStore, 'spent'>
  }
  mergedPullRequests: MergedPullRequests
  /** Those of them that may be shown where they are. */
  placed: (links: readonly Link[]) => Promise<Link[]>
  names: Names
  ownWork: OwnWork
  permalinks: Permalinks
  team: string
}

/** More than anybody reads of; of the rest it is said how many there are. */
const MOST = 1000

export function createDigestReading(options: DigestReadingOptions): DigestReading {
  const {mergedPullRequests, names, ownWork, permalinks, team} = options
  const {lists, notifications, spendings} = options.store

  const rowOf = async (link: Link, person: string | undefined): Promise<DigestRow> => {
    const [permalink, name] = await Promise.all([
      permalinks.find(link.place),
      person === undefined || person === NOBODY ? undefined : names.user(person),
    ])
    return {link, permalink, who: name}
  }

  const channel: DigestReading['channel'] = async (at, period, micros) => {
    const since = {sinceMs: period.sinceMs, limit: MOST}
    const links = await options.placed(await lists.changedIn({team, channel: at}, RUNNING, since))
    const bySection = Map.groupBy(links, (link) => sectionOf(link, period))
    const waiting = bySection.get('waiting') ?? []
    const [asking, merged] = await Promise.all([
      notifications.asking(waiting.map(({id}) => id)),
      mergedPullRequests({team, channel: at}, period),
    ])
    const of = (section: Section): Promise<DigestRow[]> =>
      Promise.all(
        (bySection.get(section) ?? []).map(async (link, index) => {
          // Slack tells addresses and names one by one: nobody sees those of the rest.
          if (index >= SHOWN) return {link, permalink: undefined, who: undefined}
          const waitsFor = asking.get(link.id)?.person ?? link.startedBy
          return rowOf(link, section === 'waiting' ? waitsFor : undefined)
        }),
      )
    const [waits, failed, stopped, done, running] = await Promise.all([
      of('waiting'),
      of('failed'),
      of('stopped'),
      of('done'),
      of('running'),
    ])
    return {
      sections: {waiting: waits, failed, stopped, done, running},
      merged: merged.toSorted((a, b) => b.mergedAtMs - a.mergedAtMs).map(({address}) => address),
      micros,
    }
  }

  const person: DigestReading['person'] = async (user, {sinceMs}, mayKnow) => {
    const {needsYou} = await ownWork({user, sinceMs, failedSinceMs: sinceMs, mayKnow})
    const shown = needsYou.slice(0, SHOWN)
    await Promise.all(shown.map(({link}) => permalinks.find(link.place)))
    return needsYou.map((row) => ({...row, permalink: permalinks.known(row.link.place)}))
  }

  const spent: DigestReading['spent'] = async (at, {untilMs, dayMicros}, nowMs) => {
    const subject = {team, channel: at, user: '', threadId: ''}
    const last = dayOf(nowMs)
    const [all, today] = await Promise.all([
      spendings.spent(subject, {first: dayOf(untilMs), last}),
      spendings.spent(subject, {first: last, last}),
    ])
    return {micros: Math.max(0, all - dayMicros), dayMicros: today}
  }

  return {channel, person, spent}
}

/** So many of each are named. */
export const SHOWN = 10
