import type {Dice} from '../../local/platform/agent/dice.ts'
import {OUR_RETRY_AFTER_S, SLACK_FAULTS, faultOf} from './slack-faults.ts'
import {type Tally, pickWeighted} from './tally.ts'
import type {World} from './world.ts'

const ONCE_MORE = 'delivery: once more'

/** Counts what the ledger shows of it, and no more than was asked for: a stand-in has limits of its own. */
export function createSlackDamage(
  {slack}: World,
  {dice, isQuick, tally}: {dice: Dice; isQuick: boolean; tally: Tally},
) {
  const open = new Map<string, number>()
  const faults = SLACK_FAULTS.filter((fault) => !isQuick || fault.isSlow !== true)
  const leave = slack.ledger.watch((entry) => {
    if (!('method' in entry)) {
      // Our own edits come back as events, each so many times: cheap, so only what people did counts.
      const isOurs = JSON.stringify(entry.payload).includes(`"bot_id"`)
      if (entry.outcome === 'pending' && entry.attempt > 0 && !isOurs) tally.note(ONCE_MORE)
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
