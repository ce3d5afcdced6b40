import {ACTIONS} from '../../../slack/ids.ts'
import {type DrawnMessage, type Message, button, section} from '../../../slack/draw/blocks.ts'
import {nameLine} from '../../../slack/markup/lines.ts'
import type {Prompt} from '../../../slack/prompts/prompts.ts'
import {leftOutText} from '../../../slack/texts/talk.ts'
import {startTexts} from '../start-texts.ts'

/** A message may have hundreds; more names than these say nothing more. */
const MAX_NAMED = 20

/** Of a message that is nothing but files that can't go along. */
export function leftOutMessage(notPassed: Prompt['notPassed']): Message {
  return {text: `${leftOutText(named(notPassed))} ${startTexts.without.nothingSent}`}
}

/** Files that can't go along, before anything begins. `id`: of the start, or of the send that is kept. */
export function drawFilesQuestion(
  what: 'start' | 'send',
  id: string,
  {passed, notPassed}: Pick<Prompt, 'passed' | 'notPassed'>,
): DrawnMessage {
  const {goOn, cancel, goesAlong} = startTexts.without
  const along = passed.slice(0, MAX_NAMED).map(nameLine).join(', ')
  const text = [leftOutText(named(notPassed)), ...(along === '' ? [] : [goesAlong(along)])].join(
    ' ',
  )
  const [without, not] =
    what === 'start'
      ? [ACTIONS.startWithout, ACTIONS.startNot]
      : [ACTIONS.sendWithout, ACTIONS.sendNot]
  const elements = [
    button(without, goOn(notPassed.length), id, {style: 'primary'}),
    button(not, cancel, id),
  ]
  return {text, blocks: [section(text), {type: 'actions', elements}]}
}

function named(files: Prompt['notPassed']): Prompt['notPassed'] {
  return files.slice(0, MAX_NAMED).map((file) => ({...file, name: nameLine(file.name)}))
}
