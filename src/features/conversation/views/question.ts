import type {Button, ModalView, PlainTextOption, StaticSelect} from '@slack/types'
import type {Question} from '../../../agents/resolve-options.ts'
import {ACTIONS, FORMS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine} from '../../../slack/markup/lines.ts'
import {texts} from '../../../slack/texts.ts'
import {type DrawnMessage, button, plain, section} from '../../../slack/draw/blocks.ts'
import {startTexts} from '../start-texts.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import type {Notification} from '../../../store/tables/work/notifications.ts'
import {field, modal} from '../../../slack/draw/form.ts'
import {questionText} from '../../../slack/draw/notification.ts'

/** Slack takes so many characters on a button, and in what it bears. */
const MAX_LABEL = 70
const MAX_VALUE = 2000
/** … and so many buttons in a row, entries in a part of a menu, characters in what one bears, and in a part's name. */
const MAX_BUTTONS = 25
const MAX_PART = 100
const MAX_OPTION_VALUE = 150
const MAX_END = 30

/** What is wrong with an option, with a button for each value that may be meant. */
export function drawQuestion(startId: string, question: Question): DrawnMessage {
  const {name, wrong, offers} = question
  const labels = offers.map(({label}) => inBold(label, MAX_NAME))
  const text = texts.talk.question(question, inBold(wrong, MAX_NAME), labels)
  const choices = offers.flatMap(({label, value}): Choice[] => {
    const bears = `${startId} ${name}=${value}`
    return bears.length > MAX_VALUE ? [] : [{label, bears}]
  })
  const elements = choices.length > MAX_BUTTONS ? [menu(choices)] : choices.map(toButton)
  return {
    text,
    blocks: [
      section(text),
      ...(elements.length === 0 ? [] : [{type: 'actions' as const, elements}]),
    ],
  }
}

interface Choice {
  label: string
  bears: string
}

function toButton({label, bears}: Choice, index: number): Button {
  const words = oneLine(label, MAX_LABEL) || startTexts.startWithout
  return button(`${ACTIONS.startWith}:${index}`, words, bears)
}

/** People search it by typing; Slack takes so many entries in each of its parts. */
function menu(choices: readonly Choice[]): StaticSelect {
  const options = choices
    .filter(({bears}) => bears.length <= MAX_OPTION_VALUE)
    .toSorted((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1))
    .map(({label, bears}) => ({text: plain(oneLine(label, MAX_LABEL) || '–'), value: bears}))
  const parts = Array.from({length: Math.ceil(options.length / MAX_PART)}, (_, part) =>
    options.slice(part * MAX_PART, (part + 1) * MAX_PART),
  )
  return {
    type: 'static_select',
    action_id: ACTIONS.startWith,
    placeholder: plain(startTexts.chooseOne),
    option_groups: parts.map((part) => ({label: plain(labelOf(part)), options: part})),
  }
}

/** From where to where a part goes. */
function labelOf(part: readonly PlainTextOption[]): string {
  const ends = [part.at(0), part.at(-1)].map((option) => oneLine(option?.text.text ?? '', MAX_END))
  return ends.join(' – ')
}

/** Action and block of what is written. */
export const ANSWER_INPUT = 'answer'

/** A section takes 3,000 characters. */
const MAX_QUESTION = 2500

/** `messageTs`: of the call, if it was pressed there. */
export function drawAnswerForm(
  {id, words}: Notification,
  {place}: Link,
  messageTs: string | undefined,
): ModalView {
  const {title, submit, close, noQuestion, label} = texts.notifications.form
  const {channel, slackThread} = place
  const question = questionText(words, MAX_QUESTION)
  const metadata = {channel, slackThread, ping: id, message: messageTs}
  return modal(FORMS.answer, metadata, {title, submit, close}, [
    section(question === '' ? noQuestion : question),
    field(ANSWER_INPUT, label, {multiline: true}),
  ])
}
