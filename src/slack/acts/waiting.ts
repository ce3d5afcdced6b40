import type {FollowUpDesk} from '../../inbox/follow-up.ts'
import {sendKept} from '../../inbox/kept.ts'
import {cancel, hurry} from '../../inbox/waiting.ts'
import type {Link} from '../../store/link.ts'
import type {Send} from '../../store/sends.ts'
import {declinedMessage} from '../declined-message.ts'
import type {Press} from '../deeds/press.ts'
import {ACTIONS} from '../ids.ts'
import type {Names} from '../markup.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Replies} from '../replies.ts'
import {texts} from '../texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from './act.ts'
import type {Checks} from './checks.ts'
import {toOutcome} from './work.ts'

interface WaitingActsOptions {
  act: MakeAct
  checks: Checks
  desk: FollowUpDesk
  names: Names
  replies: Replies
  admins: readonly string[]
}

/** The buttons of what waits: for the end of the agent's work, or for archived work to come back. */
export function createWaitingActs(options: WaitingActsOptions): Act[] {
  const {act, checks, desk, names, replies, admins} = options
  const {alreadyDelivered, alreadyCancelled, notYours, leftOthers} = texts.talk.waiting

  /** … who wrote it, or started the work, or is an admin. */
  const onOwnSend: Check<Press, {link: Link; send: Send}> = {
    name: 'its sender, the starter or an admin, on a message here',
    look: async (press) => {
      const found = await checks.onSend.look(press)
      if (found instanceof Refusal || mayTouch(press, found)) return found
      const {send, link} = found
      const people = [send.sender, link.startedBy].map(async (id) => `@${await names.user(id)}`)
      const [sender = '', starter = ''] = await Promise.all(people)
      return new Refusal({text: notYours(sender, starter)})
    },
  }

  const mayTouch = ({user}: Press, {link, send}: {link: Link; send: Send}): boolean =>
    user === send.sender || user === link.startedBy || admins.includes(user)

  return [
    act('press', ACTIONS.sendNow, onOwnSend, async (_press, {link, send}, handling) => {
      const settled = await hurry(desk, link, send, handling.signal)
      if (settled.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
      return toAnswer(settled, handling)
    }),
    act('press', ACTIONS.cancel, onOwnSend, async (_press, {link, send}, handling) => {
      const settled = await cancel(desk, link, send, handling.signal)
      return settled.outcome === 'cancelled' ? undefined : toAnswer(settled, handling)
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
