import type {Dice} from '../../local/platform/agent/dice.ts'
import {type ClosedChannels, createClosedChannels} from './closed-channels.ts'
import {createPlatformDamage} from './platform-damage.ts'
import {createSlackDamage} from './slack-damage.ts'
import {OUR_RETRY_AFTER_S} from './slack-faults.ts'
import {type Tally, createTally} from './tally.ts'
import type {World} from './world.ts'

/** Everything that goes wrong, and a count of what really did. */
export interface Damage {
  /** Arms as many faults as make this many since the beginning. */
  strike(total: number): Promise<void>
  /** Something went wrong that somebody else did. */
  note(name: string): void
  count(): number
  struck(): Map<string, number>
  /** Whether nobody can be heard in this channel just now. */
  isClosed(channel: string): boolean
  /** From now on nothing goes wrong; what did not strike yet is forgotten. */
  calm(): Promise<void>
}

interface DamageOptions {
  dice: Dice
  /** Leaves out what the bot waits for over 5 s by nature. */
  isQuick: boolean
  channels: readonly string[]
}

/** By the dice: half of it hits streams, the rest Slack's calls, other requests, deliveries and sockets. */
export function createDamage(world: World, {dice, isQuick, channels}: DamageOptions): Damage {
  const tally = createTally()
  const platform = createPlatformDamage(world, dice, tally)
  const slack = createSlackDamage(world, {dice, isQuick, tally})
  const closed = createClosedChannels(world, dice)
  let done = 0
  const strikeOnce = (): void => {
    const kind = dice.int(1, 1000)
    if (kind <= 560) platform.hitStream()
    else if (kind <= 640) platform.closeStream()
    else if (kind <= 720) platform.hitRequest()
    else if (kind <= 978) slack.hitCall()
    else if (kind <= 995 || isQuick) strikeRarely(world, dice, tally)
    else closeChannel(closed, channels, tally)
  }
  return {
    strike: async (total) => {
      await closed.reopen()
      platform.harvest()
      for (; done < total; done += 1) strikeOnce()
    },
    note: (name) => tally.note(name),
    count: tally.sum,
    struck: () => new Map([...tally.counts].toSorted(([a], [b]) => a.localeCompare(b))),
    isClosed: (channel) => closed.has(channel),
    calm: async () => {
      platform.calm()
      slack.calm()
      await closed.reopen('all')
    },
  }
}

const LIMITED = [
  ...['chat.update', 'chat.postMessage', 'conversations.replies'],
  ...['chat.startStream', 'chat.appendStream', 'chat.stopStream'],
] as const

/** What touches everybody at once. */
function strikeRarely({slack, platform}: World, dice: Dice, tally: Tally): void {
  const turn = dice.int(1, 20)
  if (turn <= 2) {
    slack.faults.dropSockets()
    tally.note('socket: dropped')
  } else if (turn <= 5) {
    slack.faults.disconnectSockets(dice.pick(['warning', 'refresh_requested'] as const))
    tally.note('socket: refreshed')
  } else if (turn <= 9) {
    slack.faults.deliveries = dice.int(1, 3) // each one too many is counted
  } else if (turn <= 12) {
    slack.faults.reorder = !slack.faults.reorder
    tally.note('delivery: order turned around, or back')
  } else if (turn <= 16) {
    const method = dice.pick(LIMITED)
    const retryAfterSeconds = OUR_RETRY_AFTER_S
    slack.faults.storm(method, {times: dice.int(1, 5), ms: 1000, retryAfterSeconds})
  } else if (turn <= 18) {
    slack.faults.latencyMs = dice.pick([0, 20, 60, 120] as const)
    tally.note('slack: another latency')
  } else if (turn === 19) {
    tally.note('stream: all closed without a word', Math.min(1, platform.control.closeStreams()))
  } else {
    // It says itself when it is up again; a failure would fail the run by what is missing then.
    void platform.control.restart(dice.int(0, 800))
    tally.note('platform: restarted')
  }
}

function closeChannel(closed: ClosedChannels, channels: readonly string[], tally: Tally): void {
  const name = closed.close(channels)
  if (name !== undefined) tally.note(name)
}
