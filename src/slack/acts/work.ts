import {type FollowUpDesk, lookUp, sendAgain} from '../../inbox/follow-up.ts'
import type {Declined} from '../../inbox/work.ts'
import {ACTIONS} from '../ids.ts'
import type {Replies} from '../replies.ts'
import {declinedText, texts} from '../texts.ts'
import type {Act, MakeAct, Outcome} from './act.ts'
import type {Checks} from './checks.ts'

interface WorkActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk
  replies: Replies
}

/** The buttons of a message that nobody is sure of. */
export function createWorkActs({act, checks, desk, replies}: WorkActsOptions): Act[] {
  const {onSend} = checks

  const settling = (name: string, settle: typeof lookUp): Act =>
    act('press', name, onSend, async (_press, {link, send}, {signal}) => {
      if (send.state !== 'unsure') return undefined
      const settled = await settle(desk, link, send, signal)
      if (settled.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
      if (settled.outcome === 'unsure') return {answer: {text: texts.unsure.stillUnsure}}
      return toOutcome(settled)
    })

  return [settling(ACTIONS.checkAgain, lookUp), settling(ACTIONS.sendAgain, sendAgain)]
}

/** Done is seen where it was done; a refusal is told, and may be tried again. */
export function toOutcome(
  result: Declined | {outcome: 'done' | 'sent' | 'waiting' | 'unsure' | 'kept'},
): Outcome | undefined {
  if (result.outcome !== 'declined') return undefined
  return {answer: {text: declinedText(result)}, again: true}
}
