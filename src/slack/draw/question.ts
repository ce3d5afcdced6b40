import type {Button} from '@slack/types'
import type {Question} from '../../inbox/resolution.ts'
import {ACTIONS} from '../ids.ts'
import {texts} from '../texts.ts'
import {type DrawnMessage, MAX_NAME, button, inBold, oneLine, section} from './blocks.ts'

/** Slack takes so many characters on a button, and in what it bears. */
const MAX_LABEL = 70
const MAX_VALUE = 2000

/** What is wrong with an option, with a button for each value that may be meant. */
export function drawQuestion(startId: string, question: Question): DrawnMessage {
  const {name, wrong, offers} = question
  const labels = offers.map(({label}) => inBold(label, MAX_NAME))
  const text = texts.start.question(question, inBold(wrong, MAX_NAME), labels)
  const buttons = offers.flatMap(({label, value}, index): Button[] => {
    const bears = `${startId} ${name}=${value}`
    const words = oneLine(label, MAX_LABEL) || texts.start.startWithout
    return bears.length > MAX_VALUE ? [] : [button(`${ACTIONS.startWith}:${index}`, words, bears)]
  })
  return {
    text,
    blocks: [
      section(text),
      ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
    ],
  }
}
