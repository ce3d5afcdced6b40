import type {Dice} from '../../local/platform/agent/dice.ts'
import type {World} from './world.ts'

/** Channels that nobody lets the bot write in for a while. */
export interface ClosedChannels {
  /** Whether people can't write there either, or the bot does not hear them. */
  has(channel: string): boolean
  /** Archives one of them or throws the bot out, and answers what was done; it is undone a little later. */
  close(channels: readonly string[]): string | undefined
  /** Opens those whose time has come. */
  reopen(all?: 'all'): Promise<void>
}

export function createClosedChannels({slack}: World, dice: Dice): ClosedChannels {
  const closed = new Map<string, {untilMs: number; reopen: () => Promise<void>}>()
  const {people} = slack
  return {
    has: (channel) => closed.has(channel),
    close: (channels) => {
      const open = channels.filter((channel) => !closed.has(channel))
      const channel = open[dice.int(0, Math.max(0, open.length - 1))]
      if (channel === undefined) return undefined
      const isArchive = dice.int(1, 2) === 1
      const reopen = () => (isArchive ? people.unarchive(channel) : people.inviteBot(channel))
      closed.set(channel, {untilMs: Date.now() + dice.int(1000, 4000), reopen})
      // A failure shows in the end: the channel is opened again, which fails too.
      void (isArchive ? people.archive(channel) : people.kickBot(channel))
      return isArchive
        ? 'channel: archived, and unarchived'
        : 'channel: bot thrown out, and invited'
    },
    reopen: async (all) => {
      for (const [channel, {untilMs, reopen}] of closed) {
        if (all === undefined && untilMs > Date.now()) continue
        await reopen()
        closed.delete(channel)
      }
    },
  }
}
