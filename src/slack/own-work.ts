import {createHash} from 'node:crypto'
import type {Link, Place} from '../store/tables/work/link.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import type {Notification, NotificationStore} from '../store/tables/work/notifications.ts'
import type {Permalinks} from './api/permalinks.ts'
import {type Group, groupOf} from './draw/standing.ts'

/** A piece of somebody's own work, for their eyes alone. */
export interface OwnRow {
  link: Link
  /** What waits for an answer. */
  notification: Notification | undefined
  /** Of its Slack thread, where that is known. */
  permalink: string | undefined
}

/** Somebody's own work by what it asks of them, newest first. */
export type OwnWork = (reader: {
  user: string
  /** What was done before is over. */
  sinceMs: number
  /** What failed before is over, too; from then on it waits for them. */
  failedSinceMs: number
  /** Of their own work too, what is in channels that they have left is not theirs to see. */
  mayKnow: (user: string, channel: string) => Promise<boolean>
}) => Promise<Record<Group, OwnRow[]>>

interface OwnWorkOptions {
  store: {links: Pick<LinkStore, 'ofStarter'>; notifications: Pick<NotificationStore, 'asking'>}
  permalinks: Pick<Permalinks, 'known'>
  /** Those of them that may be shown where they are. */
  placed: (links: readonly Link[]) => Promise<Link[]>
  team: string
}

export function createOwnWork({store, permalinks, placed, team}: OwnWorkOptions): OwnWork {
  const {links, notifications} = store
  return async ({user, sinceMs, failedSinceMs, mayKnow}) => {
    const all = await links.ofStarter({team, user}, Math.min(sinceMs, failedSinceMs))
    const mine = await placed(await inPlaces(all, (channel) => mayKnow(user, channel)))
    const asking = await notifications.asking(mine.map(({id}) => id))
    const rows: Record<Group, OwnRow[]> = {needsYou: [], running: [], done: []}
    for (const link of mine) {
      const of = groupOf(link, failedSinceMs)
      if (of === 'done' && link.statusSinceMs < sinceMs) continue
      const row = {link, notification: asking.get(link.id), permalink: permalinks.known(link.place)}
      if (of === 'running' || link.dismissed !== markOf(row)) rows[of].push(row)
    }
    return rows
  }
}

async function inPlaces(
  all: readonly Link[],
  isKnown: (channel: Place['channel']) => Promise<boolean>,
): Promise<Link[]> {
  const channels = [...new Set(all.map(({place}) => place.channel))]
  const may = await Promise.all(channels.map(isKnown))
  const known = new Set(channels.filter((_, index) => may[index]))
  return all.filter(({place}) => known.has(place.channel))
}

/**
 * A mark of how work stands. What somebody took out of their App Home comes back when it stands otherwise; another name is
 * no news.
 */
export function markOf({link, notification}: Pick<OwnRow, 'link' | 'notification'>): string {
  const {state, status, statusSinceMs, needsYou, attempt} = link
  const looks = JSON.stringify([state, status, statusSinceMs, needsYou, attempt, notification?.id])
  return createHash('sha256').update(looks).digest('base64url').slice(0, 16)
}
