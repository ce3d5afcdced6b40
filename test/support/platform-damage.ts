import type {Dice} from '../../local/platform/agent/dice.ts'
import {type PlatformFault, REQUEST_FAULTS, STREAM_FAULTS} from './stream-faults.ts'
import {type Tally, pickWeighted} from './tally.ts'
import type {World} from './world.ts'

/** So many platform faults may wait for a request; beyond that, streams are closed so that there is one. */
const MAX_WAITING = 40
/** Closing a stream without a word is cheap: of a hundred faults that struck, so many may be that. */
const MAX_CLOSED_PERCENT = 20
/** What hit an answer may change it later, when there is more of it. */
const MAX_PENDING_MS = 60_000
const HARVEST_MS = 500

const CLOSED = 'stream: closed without a word'

/** Counts a fault once the stand-in says that it has changed what the bot got. */
export function createPlatformDamage({platform}: World, dice: Dice, tally: Tally) {
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
