import {letGo, sendKept} from '../../agents/sends/kept-sends.ts'
import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {cancel, hurry} from '../../agents/sends/waiting-sends.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Send} from '../../store/tables/work/send.ts'
import {declinedMessage} from '../../slack/draw/declined.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {toAsked} from '../../slack/gate/following.ts'
import {toResult} from './unsure.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface WaitingActsOptions extends ActTools<'permalinks' | 'replies'> {
  deps: FollowUpDeps
}

/** The buttons of what waits: for the end of the agent's work, after a stop, or for archived work to come back. */
export function createWaitingActs(options: WaitingActsOptions): Act[] {
  const {act, checks, deps, permalinks, replies} = options
  const {alreadyDelivered, alreadyCancelled, heldNow, beingSent} = texts.talk.waiting

  return [
    act('press', ACTIONS.sendNow, checks.onSend, async (_press, {link, send}, handling) => {
      const settled = await hurry(deps, link, send, handling)
      if (settled.outcome === 'sent') replies.admitted(link, send.messageTs)
      return toAnswer(settled, handling)
    }),
    act('press', ACTIONS.cancel, checks.onSend, async (_press, {link, send}, handling) => {
      return discard(link, send, handling)
    }),
    act('press', ACTIONS.sendHeld, checks.onSend, async (_press, {link, send}, handling) => {
      // Tried again after a crash: it may be on its way.
      const isOurs = send.state === 'held' || handling.row.attempts > 0
      const isUnderway = send.state === 'unsent' || send.state === 'open'
      if (!isOurs && !isUnderway) return {answer: {text: texts.talk.held.past}}
      const told = await letGo(deps, link, send, handling)
      if (told.outcome === 'sent') replies.admitted(link, send.messageTs)
      return toResult(told)
    }),
    act('press', ACTIONS.discard, checks.onSend, async (_press, {link, send}, handling) => {
      if (send.state !== 'held' && send.state !== 'cancelled') {
        return {answer: {text: texts.talk.held.past}}
      }
      return discard(link, send, handling)
    }),
    act(
      'press',
      ACTIONS.unarchiveAndSend,
      checks.onSend,
      async (_press, {link, send}, handling) => {
        const {expired, past} = texts.talk.archived
        // Handled again after a crash, it may be there.
        const isElses = send.inboxId !== handling.row.id
        if (send.state === 'cancelled' || (send.state === 'sent' && isElses)) {
          return {answer: {text: past}}
        }
        const told = await sendKept(deps, link, send, handling)
        if (told.outcome === 'expired') return {answer: {text: expired}}
        if (told.outcome === 'sent') replies.admitted(link, send.messageTs)
        const isTold = told.outcome === 'declined' || told.outcome === 'kept'
        if (isTold || send.messageTs !== '') return toResult(told)
        return {answer: await toAsked(told, link, permalinks)}
      },
    ),
  ]

  async function discard(
    link: Link,
    send: Send,
    handling: Handling,
  ): Promise<ActResult | undefined> {
    const settled = await cancel(deps, link, send, handling.signal)
    if (settled.outcome !== 'cancelled') return toAnswer(settled, handling)
    replies.cancelled(link, send.messageTs)
    return undefined
  }

  /** What is tried again may meet what it did itself. */
  function toAnswer(
    settled: Awaited<ReturnType<typeof hurry>>,
    {row}: Handling,
  ): ActResult | undefined {
    switch (settled.outcome) {
      case 'sent':
        return undefined
      case 'cancelled':
        return {answer: {text: alreadyCancelled}}
      case 'held':
        return {answer: {text: heldNow}}
      case 'hurrying':
        return {answer: {text: beingSent}, again: true}
      case 'tooLate':
        return row.attempts > 0 ? undefined : {answer: {text: alreadyDelivered}}
      case 'declined':
        return {answer: declinedMessage(settled), again: true}
      default:
        throw new Error(`Unknown outcome: ${JSON.stringify(settled satisfies never)}`)
    }
  }
}
