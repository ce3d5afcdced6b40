import type {FollowUpDeps} from '../../../agents/lifecycle.ts'
import type {NotificationStore} from '../../../store/tables/work/notifications.ts'
import {choiceOf} from '../../../slack/draw/choices.ts'
import type {Act} from '../../../slack/gate/act.ts'
import {type AnsweringDeps, answerFirst, tellAnswered} from '../../../slack/gate/answering.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {toPlain} from '../../../slack/markup/plain.ts'
import {texts} from '../../../slack/texts.ts'

interface PickingOptions extends ActTools<'names'> {
  deps: AnsweringDeps['deps'] & FollowUpDeps & {notifications: NotificationStore}
}

/** One of the answers that an agent's own words offer is chosen on the call for it. */
export function createPickingActs(options: PickingOptions): Act[] {
  const {act, checks, deps} = options
  const {notifications, show} = deps

  return [
    act('press', ACTIONS.pick, checks.onNotification, async (press, subject, handling) => {
      const {link, notification} = subject
      const {id, words, state} = notification
      const said = choiceOf(press.value, words.offers ?? [])
      if (said === undefined) return {answer: {text: texts.choices.over}}
      const {user, messageTs} = press
      const answer = toPlain(said)
      const given = {user, messageTs, answer, said, isOver: state !== 'open'}
      const outcome = await answerFirst(options, {link, id}, given, handling)
      // Its model cannot be used, or somebody was first: the call stands as it did.
      if (outcome.outcome !== 'answered') return tellAnswered(outcome)
      await notifications.keepAnswer(id, {by: user, text: answer})
      await notifications.end(id, 'answered', user)
      await show(link.id)
      return undefined
    }),
  ]
}
