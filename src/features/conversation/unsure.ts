import {checkAgain, goOn, sendAgain} from '../../agents/sends/sending.ts'
import type {Declined, FollowUpDeps} from '../../agents/lifecycle.ts'
import {declinedMessage, keptMessage} from '../../slack/draw/declined.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface WorkActsOptions extends ActTools<'replies'> {
  deps: FollowUpDeps
}

/** The buttons of a message that nobody is sure of. */
export function createWorkActs({act, checks, deps, replies}: WorkActsOptions): Act[] {
  const {onSend} = checks

  const settling = (name: string, settle: typeof checkAgain): Act =>
    act('press', name, onSend, async (_press, {link, send}, handling) => {
      // Asked again after a crash or a "not now": it may be on its way, or not.
      const isOurs = send.inboxId === handling.row.id
      const isBegun = isOurs || send.state === 'unsent' || send.state === 'open'
      if (!isBegun && send.state !== 'unsure') return undefined
      const settled = isBegun
        ? await goOn(deps, link, send, handling.signal)
        : await settle(deps, link, send, handling)
      if (settled.outcome === 'sent') replies.admitted(link, send.messageTs)
      if (settled.outcome === 'kept') return {answer: keptMessage(settled.send)}
      if (settled.outcome === 'unsure') {
        return {answer: {text: texts.unsure.stillUnsure}, again: true}
      }
      return toResult(settled)
    })

  return [settling(ACTIONS.checkAgain, checkAgain), settling(ACTIONS.sendAgain, sendAgain)]
}

/** Done is seen where it was done; a refusal is told, and may be tried again. */
export function toResult(
  result:
    Declined | {outcome: 'done' | 'sent' | 'waiting' | 'unsure' | 'held' | 'kept' | 'cancelled'},
): ActResult | undefined {
  if (result.outcome !== 'declined') return undefined
  return {answer: declinedMessage(result), again: true}
}
