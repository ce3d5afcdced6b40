import {TryLater} from '../../inbox/try-later.ts'
import type {Announcer} from '../../slack/posts/announcer.ts'
import type {AnnouncementWords} from '../../store/tables/channels/announcement.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'

/** Says once in a place what we are there for. It is posted as every announcement is: once, whatever fails in between. */
export interface Greeter {
  /** We have come into a channel: however often, it is said once. */
  invited(to: {channel: string; isShared: boolean}): Promise<void>
  /** Somebody is in their direct messages with us. Nobody waits for what they are told. */
  met(user: string, channel: string): Promise<void>
  /** The same; when it stands, or could not be said by then. */
  greet(user: string, channel: string, signal: AbortSignal): Promise<void>
}

interface GreeterOptions {
  announcements: Pick<AnnouncementStore, 'welcome'>
  announcer: Pick<Announcer, 'wake' | 'settle'>
  team: string
  nowMs: () => number
}

export function createGreeter({announcements, announcer, team, nowMs}: GreeterOptions): Greeter {
  const welcome = (channel: string, words: AnnouncementWords) =>
    announcements.welcome({team, channel}, words, nowMs())

  return {
    invited: async ({channel, isShared}) => {
      const words = isShared ? ({isShared} as const) : {}
      if ((await welcome(channel, words)) !== undefined) announcer.wake()
    },
    met: async (user, channel) => {
      if ((await welcome(channel, {askedBy: user})) !== undefined) announcer.wake()
    },
    greet: async (user, channel, signal) => {
      const due = await welcome(channel, {askedBy: user})
      if (due === undefined) return
      await announcer.settle(due, signal).catch((error: unknown) => {
        // It is brought there all the same.
        if (!(error instanceof TryLater)) throw error
      })
    },
  }
}
