import {sendKept} from '../../../inbox/agents/kept-sends.ts'
import type {FollowUpDesk} from '../../../inbox/agents/sending.ts'
import {cancel, hurry} from '../../../inbox/agents/waiting-sends.ts'
import type {Handling} from '../../../inbox/worker.ts'
import type {Send} from '../../../store/sends.ts'
import type {People} from '../../api/people.ts'
import {declinedMessage} from '../../draw/declined-message.ts'
import {ACTIONS} from '../../ids.ts'
import type {Replies} from '../../tell/replies.ts'
import {texts} from '../../texts.ts'
import type {Act, MakeAct, Outcome} from '../act.ts'
import type {Checks} from '../checks.ts'
import {toOutcome} from './unsure.ts'

interface WaitingActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk
  people: Pick<People, 'roleOf'>
  replies: Replies
}

/** The buttons of what waits: for the end of the agent's work, or for archived work to come back. */
export function createWaitingActs(options: WaitingActsOptions): Act[] {
  const {act, checks, desk, people, replies} = options
  const {alreadyDelivered, alreadyCancelled, leftOthers} = texts.talk.waiting

  return [
    act('press', ACTIONS.sendNow, checks.onSend, async (_press, {link, send}, handling) => {
      const settled = await hurry(desk, link, send, handling.signal)
      if (settled.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
      return toAnswer(settled, handling)
    }),
    act('press', ACTIONS.cancel, checks.onSend, async (_press, {link, send}, handling) => {
      const settled = await cancel(desk, link, send, handling.signal)
      return settled.outcome === 'cancelled' ? undefined : toAnswer(settled, handling)
    }),
    act('press', ACTIONS.cancelAll, checks.onLink, async (press, link, {signal}) => {
      const all = await desk.sends.waiting(link.id)
      const isAdmin = (await people.roleOf(press, 0)) === 'admin'
      const isOwn = ({sender}: Send): boolean =>
        isAdmin || press.user === sender || press.user === link.startedBy
      const own = all.filter(isOwn)
      for (const send of own) {
        const settled = await cancel(desk, link, send, signal)
        if (settled.outcome === 'declined') return toOutcome(settled)
      }
      const left = all.length - own.length
      return left === 0 ? undefined : {answer: {text: leftOthers(left)}, again: true}
    }),
    act(
      'press',
      ACTIONS.unarchiveAndSend,
      checks.onSend,
      async (_press, {link, send}, {signal}) => {
        const {expired, past} = texts.talk.archived
        if (send.state === 'sent' || send.state === 'cancelled') return {answer: {text: past}}
        const told = await sendKept(desk, link, send, signal)
        if (told.outcome === 'expired') return {answer: {text: expired}}
        if (told.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
        return toOutcome(told)
      },
    ),
  ]

  /** What is tried again may meet what it did itself. */
  function toAnswer(
    settled: Awaited<ReturnType<typeof hurry>>,
    {row}: Handling,
  ): Outcome | undefined {
    switch (settled.outcome) {
      case 'sent':
        return undefined
      case 'cancelled':
        return {answer: {text: alreadyCancelled}}
      case 'tooLate':
        return row.attempts > 0 ? undefined : {answer: {text: alreadyDelivered}}
      case 'declined':
        return {answer: declinedMessage(settled), again: true}
      default:
        throw new Error(`Unknown outcome: ${JSON.stringify(settled satisfies never)}`)
    }
  }
}
