import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import type {MessageVersion, StoredMessage} from '../../local/slack/messages/messages.ts'
import {type Place, isReply, textOf} from '../../test/support/verdict.ts'
import type {Sight} from './waits.ts'

/** What readers saw of the replies in one Slack thread, from all versions of our messages there. */
export function sightsOf(versions: readonly (readonly MessageVersion[])[]): Sight[] {
  const standing = new Map<string, StoredMessage>()
  return versions
    .flat()
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({atMs, kind, message}) => {
      if (kind === 'deleted') standing.delete(message.ts)
      else standing.set(message.ts, message)
      return {
        atMs,
        text: inOrder(standing)
          .filter(isReply)
          .map((it) => textOf(it))
          .join('\n'),
      }
    })
}

/** Our messages in one Slack thread as they stand in the end. */
export function standingOf(versions: readonly (readonly MessageVersion[])[]): StoredMessage[] {
  const last = versions.flatMap((those) => those.at(-1) ?? [])
  const left = last.filter(({kind}) => kind !== 'deleted').map(({message}) => message)
  return inOrder(new Map(left.map((message) => [message.ts, message])))
}

/** Where the messages are that the app made in each Slack thread, by its parent's `ts`. */
export function madeMessages(calls: readonly CallRecord[]): Map<string, Place[]> {
  const made = calls.filter(({method, applied}) => MAKING.has(method) && applied)
  const byThread = Map.groupBy(made, ({args}) => String(args['thread_ts']))
  return new Map(
    [...byThread].map(([thread, those]) => [
      thread,
      those.map(({args, answer}) => ({channel: String(args['channel']), ts: String(answer['ts'])})),
    ]),
  )
}

const MAKING = new Set(['chat.postMessage', 'chat.startStream'])

/** Of one method, how often it was over its rate without a call in between that was not. */
export function longestRefusal(calls: readonly CallRecord[]): {method: string; times: number} {
  let longest = {method: '', times: 0}
  const runs = new Map<string, number>()
  for (const {method, status} of calls) {
    const times = status === 429 ? (runs.get(method) ?? 0) + 1 : 0
    runs.set(method, times)
    if (times > longest.times) longest = {method, times}
  }
  return longest
}

function inOrder(messages: ReadonlyMap<string, StoredMessage>): StoredMessage[] {
  return [...messages.values()].toSorted((a, b) => a.ts.localeCompare(b.ts))
}
