import {type FollowUpDesk, lookUp, sendAgain} from '../../inbox/follow-up.ts'
import {type Declined, archiveWork, stopWork, unarchiveWork} from '../../inbox/work.ts'
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

/** The buttons of a card, and those of a message that nobody is sure of. */
export function createWorkActs({act, checks, desk, replies}: WorkActsOptions): Act[] {
  const {onLink, onSend} = checks

  const settling = (name: string, settle: typeof lookUp): Act =>
    act('press', name, onSend, async (_press, {link, send}, {signal}) => {
      if (send.state !== 'unsure') return undefined
      const settled = await settle(desk, link, send, signal)
      if (settled.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
      if (settled.outcome === 'unsure') return {answer: {text: texts.unsure.stillUnsure}}
      return toOutcome(settled)
    })

  return [
    act('press', ACTIONS.stop, onLink, async ({user}, link, {signal}) =>
      toOutcome(await stopWork(desk, link, user, signal)),
    ),
    act('press', ACTIONS.archive, onLink, async (_press, link, {signal}) =>
      toOutcome(await archiveWork(desk, link, signal)),
    ),
    act('press', ACTIONS.unarchive, onLink, async (_press, link, {signal}) =>
      toOutcome(await unarchiveWork(desk, link, signal)),
    ),
    settling(ACTIONS.checkAgain, lookUp),
    settling(ACTIONS.sendAgain, sendAgain),
  ]
}

/** Done is seen where it was done; a refusal is told, and may be tried again. */
export function toOutcome(
  result: Declined | {outcome: 'done' | 'sent' | 'unsure'},
): Outcome | undefined {
  if (result.outcome !== 'declined') return undefined
  return {answer: {text: declinedText(result)}, again: true}
}
