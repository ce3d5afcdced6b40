import type {Dice} from '../../local/platform/agent/dice.ts'
import {type PlatformFault, REQUEST_FAULTS, STREAM_FAULTS} from './stream-faults.ts'
import {SLACK_FAULTS, type SlackFault, faultOf} from './slack-faults.ts'
import type {World} from './world.ts'

/** Everything that goes wrong, and a count of what really did. */
export interface Damage {
  /** Arms as many faults as make this many since the beginning. */
  strike(total: number): void
  /** Something went wrong that somebody else did. */
  note(name: string): void
  count(): number
  struck(): Map<string, number>
  /** From now on nothing goes wrong; what did not strike yet is forgotten. */
  calm(): void
}

/** So many platform faults may wait for a request; beyond that, streams are closed so that there is one. */
const MAX_WAITING = 40

/** By the dice: half of it hits streams, the rest Slack's calls, other requests, deliveries and sockets. */
export function createDamage(
  world: World,
  {dice, isQuick}: {dice: Dice; isQuick: boolean},
): Damage {
  const tally = new Map<string, number>()
  const armed = new Map<string, string>()
  let done = 0
  let sum = 0
  const note = (name: string, times = 1): void => {
    tally.set(name, (tally.get(name) ?? 0) + times)
    sum += times
  }
  const leave = world.slack.ledger.watch((entry) => {
    if ('method' in entry) {
      const name = faultOf(entry)
      if (name !== undefined) note(`slack: ${name}`)
    } else if (entry.outcome === 'pending' && entry.attempt > 0) note('delivery: once more')
  })
  const slackFaults = SLACK_FAULTS.filter((fault) => !isQuick || fault.isSlow !== true)

  /** What has struck is counted and taken away. */
  const harvest = (): void => {
    const {faults} = world.platform.control
    for (const {id, hits} of faults.list()) {
      const name = armed.get(id)
      if (name === undefined || hits === 0) continue
      note(name, hits)
      armed.delete(id)
      faults.remove(id)
    }
  }

  const arm = (fault: PlatformFault): void => {
    armed.set(world.platform.control.faults.add(fault.rule(dice)), fault.name)
  }

  const strikeOnce = (): void => {
    const kind = dice.int(1, 1000)
    if (kind <= 560) {
      arm(pickWeighted(dice, STREAM_FAULTS))
      if (armed.size > MAX_WAITING) closeStream(world, dice, note)
    } else if (kind <= 640) closeStream(world, dice, note)
    else if (kind <= 720) arm(pickWeighted(dice, REQUEST_FAULTS))
    else if (kind <= 980) {
      const {method, failure} = pickWeighted(dice, slackFaults)
      world.slack.faults.failNext(method, failure(dice))
    } else strikeRarely(world, dice, note)
  }

  return {
    strike: (total) => {
      harvest()
      for (; done < total; done += 1) strikeOnce()
    },
    note,
    count: () => sum,
    struck: () => new Map([...tally].toSorted(([a], [b]) => a.localeCompare(b))),
    calm: () => {
      harvest()
      leave()
      world.platform.control.faults.clear()
      world.slack.faults.calm()
      world.slack.faults.deliveries = 1
      world.slack.faults.reorder = false
    },
  }
}

type Note = (name: string, times?: number) => void

function closeStream({platform}: World, dice: Dice, note: Note): void {
  const working = platform.threads().filter(({status}) => status === 'active')
  const thread = working[dice.int(0, Math.max(0, working.length - 1))]
  if (thread === undefined) return
  note('stream: closed without a word', platform.control.closeStreams(thread.id))
}

/** What touches everybody at once. */
function strikeRarely({slack, platform}: World, dice: Dice, note: Note): void {
  const turn = dice.int(1, 20)
  if (turn <= 2) {
    slack.faults.dropSockets()
    note('socket: dropped')
  } else if (turn <= 5) {
    slack.faults.disconnectSockets(dice.pick(['warning', 'refresh_requested'] as const))
    note('socket: refreshed')
  } else if (turn <= 9) {
    slack.faults.deliveries = dice.int(1, 3)
    note('delivery: each from now on so many times')
  } else if (turn <= 12) {
    slack.faults.reorder = !slack.faults.reorder
    note('delivery: order turned around, or back')
  } else if (turn <= 16) {
    const method = dice.pick(['chat.update', 'chat.postMessage', 'conversations.replies'] as const)
    slack.faults.storm(method, {times: dice.int(1, 5), ms: 1000, retryAfterSeconds: 1})
  } else if (turn <= 18) {
    slack.faults.latencyMs = dice.pick([0, 20, 60, 120] as const)
    note('slack: another latency')
  } else if (turn === 19) {
    note('stream: all closed without a word', Math.min(1, platform.control.closeStreams()))
  } else {
    // It says itself when it is up again; a failure would fail the run by what is missing then.
    void platform.control.restart(dice.int(0, 800))
    note('platform: restarted')
  }
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
