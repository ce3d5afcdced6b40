import {drawRefusedKey} from '../features/connect/views/refused-key.ts'
import {drawReceipt} from '../features/hooks/views/receipt.ts'
import {drawTold} from '../features/rules/views/told.ts'
import {drawAnnouncement, isPerson} from '../features/watch/views/announcement.ts'
import type {DigestWordsOf} from '../features/digests/words.ts'
import type {WelcomeWords} from '../features/welcome/words.ts'
import {drawHead} from '../slack/draw/head.ts'
import type {DrawnMessage} from '../slack/draw/blocks.ts'
import type {Names} from '../slack/markup/markup.ts'
import {
  type Announcement,
  DIGEST,
  HOOK_RECEIPT,
  KEY_REFUSED,
  RULE,
  WELCOME,
} from '../store/tables/channels/announcement.ts'
import type {ConnectionStore} from '../store/tables/platform-keys.ts'

/** Draws what a channel is told, with the names of people and keys as they are now. */
export function createAnnouncementWords({
  connections,
  names,
  webUrl,
  welcome,
  digest,
}: {
  connections: ConnectionStore
  names: Names
  webUrl: string | undefined
  welcome: WelcomeWords
  digest: DigestWordsOf
}): (announcement: Announcement) => Promise<DrawnMessage> {
  return async (announcement) => {
    const {status, connectionId, words, endedBy} = announcement
    if (status === HOOK_RECEIPT) return drawReceipt(announcement, {webUrl})
    if (status === WELCOME) return welcome.draw(announcement)
    if (status === DIGEST) return digest.draw(announcement)
    const named = [words.askedBy, isPerson(endedBy) ? endedBy : undefined]
    const ids = named.filter((id) => id !== undefined)
    const found = new Map(
      await Promise.all(ids.map(async (id) => [id, await names.user(id)] as const)),
    )
    const nameOf = (id: string): string => `@${found.get(id) ?? id}`
    if (status === RULE) return drawTold(announcement, nameOf)
    if (status === undefined) return drawHead(announcement, {nameOf, webUrl})
    if (status !== KEY_REFUSED) return drawAnnouncement(announcement, {nameOf, webUrl})
    const key = connectionId === undefined ? undefined : await connections.byId(connectionId)
    return drawRefusedKey(announcement, key, nameOf)
  }
}
