import {type Announcement, HOOK_RECEIPT, KEY_REFUSED} from '../store/announcements.ts'
import type {ConnectionStore} from '../store/connections.ts'
import {drawAnnouncement, peopleInAnnouncement} from '../slack/draw/announcement.ts'
import type {DrawnMessage} from '../slack/draw/message.ts'
import {drawReceipt} from '../features/hooks/views/receipt.ts'
import {drawRefusedKey} from '../features/connect/views/refused-key.ts'
import type {Names} from '../slack/markup/markup.ts'

/** Draws what a channel is told, with the names of people and keys as they are now. */
export function createAnnouncementWords({
  connections,
  names,
  webUrl,
}: {
  connections: ConnectionStore
  names: Names
  webUrl: string | undefined
}): (announcement: Announcement) => Promise<DrawnMessage> {
  return async (announcement) => {
    const {status, connectionId} = announcement
    if (status === HOOK_RECEIPT) return drawReceipt(announcement)
    const ids = peopleInAnnouncement(announcement)
    const found = new Map(
      await Promise.all(ids.map(async (id) => [id, await names.user(id)] as const)),
    )
    const nameOf = (id: string): string => `@${found.get(id) ?? id}`
    if (status !== KEY_REFUSED) return drawAnnouncement(announcement, {nameOf, webUrl})
    const key = connectionId === undefined ? undefined : await connections.byId(connectionId)
    return drawRefusedKey(announcement, key, nameOf)
  }
}
