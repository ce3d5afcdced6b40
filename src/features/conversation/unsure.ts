import {checkAgain, goOn, sendAgain} from '../../agents/sending.ts'
import type {Declined, FollowUpDesk} from '../../agents/work.ts'
import {declinedMessage} from '../../slack/draw/declined-message.ts'
import {keptMessage} from '../../slack/draw/kept-message.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Replies} from '../../slack/tell/replies.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, MakeAct, Outcome} from '../../slack/gate/act.ts'
import type {Checks} from '../../slack/gate/checks.ts'

interface WorkActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk
  replies: Replies
}

/** The buttons of a message that nobody is sure of. */
export function createWorkActs({act, checks, desk, replies}: WorkActsOptions): Act[] {
  const {onSend} = checks

  const settling = (name: string, settle: typeof checkAgain): Act =>
    act('press', name, onSend, async (_press, {link, send}, handling) => {
      // Asked again after a crash or a "not now": it may be on its way, or not.
      const isBegun = send.state === 'unsent' || send.state === 'open'
      if (!isBegun && send.state !== 'unsure') return undefined
      const settled = isBegun
        ? await goOn(desk, link, send, handling.signal)
        : await settle(desk, link, send, handling)
      if (settled.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
      if (settled.outcome === 'kept') return {answer: keptMessage(settled.send)}
      if (settled.outcome === 'unsure') {
        return {answer: {text: texts.unsure.stillUnsure}, again: true}
      }
      return toOutcome(settled)
    })

  return [settling(ACTIONS.checkAgain, checkAgain), settling(ACTIONS.sendAgain, sendAgain)]
}

/** Done is seen where it was done; a refusal is told, and may be tried again. */
export function toOutcome(
  result: Declined | {outcome: 'done' | 'sent' | 'waiting' | 'unsure' | 'held' | 'kept'},
): Outcome | undefined {
  if (result.outcome !== 'declined') return undefined
  return {answer: declinedMessage(result), again: true}
}
