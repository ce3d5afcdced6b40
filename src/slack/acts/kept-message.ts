import type {Send} from '../../store/sends.ts'
import {button, section} from '../draw/blocks.ts'
import {ACTIONS} from '../ids.ts'
import type {Message} from '../replies.ts'
import {texts} from '../texts.ts'

/** Asks whether archived work is to go on with what somebody wrote. */
export function keptMessage({id}: Send): Message {
  const {kept, unarchiveAndSend} = texts.talk.archived
  const send = button(ACTIONS.unarchiveAndSend, unarchiveAndSend, id, {style: 'primary'})
  return {text: kept, blocks: [section(kept), {type: 'actions', elements: [send]}]}
}
