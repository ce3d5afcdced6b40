import type {Declined} from '../../agents/lifecycle.ts'
import type {Send} from '../../store/tables/work/send.ts'
import {ACTIONS} from '../ids.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {spentMessage} from './budget.ts'
import {declinedText, texts} from '../texts.ts'
import {type Message, button, section} from './blocks.ts'
import {candidateButtons, rejectedText} from './rejected-model.ts'

/** Why it was not done. The platform's words are shown as they are: nothing in them may mean something to Slack. */
export function declinedMessage(declined: Declined): Message {
  if (declined.why === 'model-rejected') return rejectedMessage(declined)
  if (declined.why === 'spent') return spentMessage(declined.note)
  return {text: escapeMrkdwn(declinedText(declined))}
}

/** The message is kept: it goes with the model that its sender chooses. */
function rejectedMessage({rejected, sendId}: Extract<Declined, {why: 'model-rejected'}>): Message {
  const text = `${texts.models.kept} ${rejectedText(rejected)}`
  const elements = candidateButtons(ACTIONS.sendModel, rejected, (which) => `${sendId}.${which}`)
  return {text, blocks: [section(text), {type: 'actions', elements}]}
}

/** Asks whether archived work is to go on with what somebody wrote. */
export function keptMessage({id}: Send): Message {
  const {kept, unarchiveAndSend} = texts.talk.archived
  const send = button(ACTIONS.unarchiveAndSend, unarchiveAndSend, id, {style: 'primary'})
  return {text: kept, blocks: [section(kept), {type: 'actions', elements: [send]}]}
}
