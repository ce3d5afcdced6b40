import type {FollowUpDesk} from '../../inbox/follow-up.ts'
import {sendKept} from '../../inbox/kept.ts'
import {cancel, hurry} from '../../inbox/waiting.ts'
import type {Link} from '../../store/links.ts'
import type {Send} from '../../store/sends.ts'
import type {Press} from '../deeds/press.ts'
import {ACTIONS} from '../ids.ts'
import type {Names} from '../markup.ts'
import type {Replies} from '../replies.ts'
import {declinedText, texts} from '../texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from './act.ts'
import type {Checks} from './checks.ts'
import {toOutcome} from './work.ts'

interface WaitingActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk
  names: Names
  replies: Replies
}

/** The buttons of what waits: for the end of the agent's work, or for archived work to come back. */
export function createWaitingActs({act, checks, desk, names, replies}: WaitingActsOptions): Act[] {
  const {alreadyDelivered, alreadyCancelled, notYours, leftOthers} = texts.talk.waiting

  /** … who wrote it, or started the work. */
  const onOwnSend: Check<Press, {link: Link; send: Send}> = {
    name: 'its sender or the starter, on a message here',
    look: async (press) => {
      const found = await checks.onSend.look(press)
      if (found instanceof Refusal || mayTouch(press, found)) return found
      const {send, link} = found
      const people = [send.sender, link.startedBy].map(async (id) => `@${await names.user(id)}`)
      const [sender = '', starter = ''] = await Promise.all(people)
      return new Refusal({text: notYours(sender, starter)})
    },
  }

  return [
    act('press', ACTIONS.sendNow, onOwnSend, async (_press, {link, send}, {signal}) => {
      const settled = await hurry(desk, link, send, signal)
      if (settled.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
      return toAnswer(settled)
    }),
    act('press', ACTIONS.cancel, onOwnSend, async (_press, {link, send}, {signal}) => {
      const settled = await cancel(desk, link, send, signal)
      return settled.outcome === 'cancelled' ? undefined : toAnswer(settled)
    }),
    act('press', ACTIONS.cancelAll, checks.onLink, async (press, link, {signal}) => {
      const all = await desk.sends.waiting(link.id)
      const own = all.filter((send) => mayTouch(press, {link, send}))
      for (const send of own) {
        const settled = await cancel(desk, link, send, signal)
        if (settled.outcome === 'declined') return toOutcome(settled)
      }
      const left = all.length - own.length
      return left === 0 ? undefined : {answer: {text: leftOthers(left)}, again: true}
    }),
    act('press', ACTIONS.unarchiveAndSend, onOwnSend, async (_press, {link, send}, {signal}) => {
      const {expired, past} = texts.talk.archived
      if (send.state === 'sent' || send.state === 'cancelled') return {answer: {text: past}}
      const told = await sendKept(desk, link, send, signal)
      if (told.outcome === 'expired') return {answer: {text: expired}}
      if (told.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
      return toOutcome(told)
    }),
  ]

  function toAnswer(settled: Awaited<ReturnType<typeof hurry>>): Outcome | undefined {
    switch (settled.outcome) {
      case 'sent':
        return undefined
      case 'cancelled':
        return {answer: {text: alreadyCancelled}}
      case 'tooLate':
        return {answer: {text: alreadyDelivered}}
      case 'declined':
        return {answer: {text: declinedText(settled)}, again: true}
      default:
        throw new Error(`Unknown outcome: ${JSON.stringify(settled satisfies never)}`)
    }
  }
}

function mayTouch({user}: Press, {link, send}: {link: Link; send: Send}): boolean {
  return user === send.sender || user === link.startedBy
}
