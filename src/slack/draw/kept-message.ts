import type {Send} from '../../store/sends.ts'
import {ACTIONS} from '../ids.ts'
import {texts} from '../texts.ts'
import {button, section} from './blocks.ts'
import type {Message} from './message.ts'

/** Asks whether archived work is to go on with what somebody wrote. */
export function keptMessage({id}: Send): Message {
  const {kept, unarchiveAndSend} = texts.talk.archived
  const send = button(ACTIONS.unarchiveAndSend, unarchiveAndSend, id, {style: 'primary'})
  return {text: kept, blocks: [section(kept), {type: 'actions', elements: [send]}]}
}
