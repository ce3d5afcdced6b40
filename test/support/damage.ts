import type {Dice} from '../../local/platform/agent/dice.ts'
import {type ClosedChannels, createClosedChannels} from './closed-channels.ts'
import {OUR_RETRY_AFTER_S, SLACK_FAULTS, type SlackFault, faultOf} from './slack-faults.ts'
import {type PlatformFault, REQUEST_FAULTS, STREAM_FAULTS} from './stream-faults.ts'
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

/** So many platform faults may wait for a request; beyond that, streams are closed so that there is one. */
const MAX_WAITING = 40
/** Closing a stream without a word is cheap: of a hundred faults that struck, so many may be that. */
const MAX_CLOSED_PERCENT = 20
/** What hit an answer may change it later, when there is more of it. */
const MAX_PENDING_MS = 60_000
const HARVEST_MS = 500

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
    isClosed: closed.has,
    calm: async () => {
      platform.calm()
      slack.calm()
      await closed.reopen('all')
    },
  }
}

interface Tally {
  note(name: string, times?: number): void
  of(name: string): number
  sum(): number
  counts: ReadonlyMap<string, number>
}

function createTally(): Tally {
  const counts = new Map<string, number>()
  let sum = 0
  return {
    note: (name, times = 1) => {
      if (times === 0) return
      counts.set(name, (counts.get(name) ?? 0) + times)
      sum += times
    },
    of: (name) => counts.get(name) ?? 0,
    sum: () => sum,
    counts,
  }
}

const CLOSED = 'stream: closed without a word'

/** Counts a fault once the stand-in says that it has changed what the bot got. */
function createPlatformDamage({platform}: World, dice: Dice, tally: Tally) {
  const {control} = platform
  const armed = new Map<string, {name: string; hitMs?: number}>()
  let waiting = 0
  let harvestedMs = 0

  const harvest = (): void => {
    const nowMs = Date.now()
    harvestedMs = nowMs
    waiting = 0
    for (const {id, hits, effects} of control.faults.list()) {
      const fault = armed.get(id)
      if (fault === undefined) continue
      if (hits === 0) waiting += 1
      else fault.hitMs ??= nowMs
      tally.note(fault.name, effects)
      if (effects === 0 && nowMs - (fault.hitMs ?? nowMs) < MAX_PENDING_MS) continue
      armed.delete(id)
      control.faults.remove(id)
    }
  }
  const arm = (fault: PlatformFault): void => {
    armed.set(control.faults.add(fault.rule(dice)), {name: fault.name})
    waiting += 1
  }
  const closeStream = (): void => {
    if (tally.of(CLOSED) * 100 >= tally.sum() * MAX_CLOSED_PERCENT) return
    const working = platform.threads().filter(({status}) => status === 'active')
    const thread = working[dice.int(0, Math.max(0, working.length - 1))]
    if (thread !== undefined) tally.note(CLOSED, control.closeStreams(thread.id))
  }
  return {
    closeStream,
    hitStream: () => {
      if (waiting <= MAX_WAITING) arm(pickWeighted(dice, STREAM_FAULTS))
      else closeStream()
    },
    hitRequest: () => {
      if (waiting <= MAX_WAITING) arm(pickWeighted(dice, REQUEST_FAULTS))
    },
    harvest: () => {
      if (Date.now() - harvestedMs > HARVEST_MS) harvest()
    },
    calm: () => {
      harvest()
      control.faults.clear()
    },
  }
}

/** Counts what the ledger shows of it, and no more than was asked for: a stand-in has limits of its own. */
function createSlackDamage(
  {slack}: World,
  {dice, isQuick, tally}: {dice: Dice; isQuick: boolean; tally: Tally},
) {
  const open = new Map<string, number>()
  const faults = SLACK_FAULTS.filter((fault) => !isQuick || fault.isSlow !== true)
  const leave = slack.ledger.watch((entry) => {
    if (!('method' in entry)) {
      if (entry.outcome === 'pending' && entry.attempt > 0) tally.note('delivery: once more')
      return
    }
    const {method, status, retryAfterSeconds} = entry
    if (status === 429) {
      if (retryAfterSeconds === OUR_RETRY_AFTER_S) tally.note(`slack: ${method}: 429`)
      return
    }
    const name = faultOf(entry)
    const left = open.get(name ?? '') ?? 0
    if (name === undefined || left === 0) return
    open.set(name, left - 1)
    tally.note(`slack: ${name}`)
  })
  return {
    hitCall: () => {
      const {name, method, failure} = pickWeighted(dice, faults)
      open.set(name, (open.get(name) ?? 0) + 1)
      slack.faults.failNext(method, failure(dice))
    },
    calm: () => {
      leave()
      slack.faults.calm()
      slack.faults.deliveries = 1
      slack.faults.reorder = false
      slack.faults.latencyMs = 0
    },
  }
}

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
    const method = dice.pick(['chat.update', 'chat.postMessage', 'conversations.replies'] as const)
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

function pickWeighted<Item extends PlatformFault | SlackFault>(
  dice: Dice,
  items: readonly Item[],
): Item {
  const total = items.reduce((sum, {weight}) => sum + weight, 0)
  let left = dice.int(1, total)
  const found = items.find(({weight}) => (left -= weight) <= 0)
  if (found === undefined) throw new Error('There is nothing to pick from.')
  return found
}
