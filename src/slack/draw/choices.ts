import type {ActionsBlock, Button, KnownBlock, StaticSelect} from '@slack/types'
import type {QuestionContent} from '../../relay/post.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, inBold, oneLine, shorten} from '../markup/lines.ts'
import {escapeMarkdown, escapeMrkdwn, escapedLength, plainMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawRules, type DrawnMessage, button, plain, section, toFit} from './blocks.ts'

const words = texts.choices

/** More than that, or longer, they stand in a menu. */
const MAX_BUTTONS = 5
/** What a phone still shows of a button. */
const MAX_ON_BUTTON = 30
/** Slack takes 75 characters in a menu, and in a box. */
const MAX_IN_MENU = 75
/** Of what is said without blocks: Slack edits no message to a longer one. */
const MAX_TEXT = 4000
/** Of an answer, beside a text as long as Slack takes. */
const MAX_ANSWER = 200

/** One of several answers is chosen: a few short ones by buttons, others in a menu. */
export function choiceElements(
  actionId: string,
  id: string,
  labels: readonly string[],
): (Button | StaticSelect)[] {
  if (labels.length === 0) return []
  const shown = labels.map(labelOf)
  const areShort = shown.every(({length}) => length <= MAX_ON_BUTTON)
  const values = labels.map((_label, index) => `${id}.${index}`)
  if (labels.length <= MAX_BUTTONS && areShort) {
    // Slack wants another id for each button of a row.
    return shown.map((label, index) => button(`${actionId}:${index}`, label, values[index] ?? ''))
  }
  return [
    {
      type: 'static_select',
      action_id: actionId,
      placeholder: plain(words.choose),
      options: shown.map((label, index) => ({text: plain(label), value: values[index] ?? ''})),
    },
  ]
}

/** Slack takes none that is empty. */
function labelOf(label: string): string {
  return oneLine(label, MAX_IN_MENU).trim() || '–'
}

/** Which of the answers a button or an entry stands for. */
export function choiceOf<Option>(value: string, options: readonly Option[]): Option | undefined {
  const index = /\.(\d{1,2})$/.exec(value)?.[1]
  return index === undefined ? undefined : options[Number(index)]
}

/** A text of an agent's machine that bears buttons, until somebody has answered: then it says who, and what. */
export function drawChoices(content: QuestionContent, rules: DrawRules): DrawnMessage {
  const {markdown, options, answer} = content
  const body: KnownBlock[] =
    markdown.trim() === '' ? [] : [{type: 'markdown', text: escapeMarkdown(markdown)}]
  const told = plainMrkdwn(markdown)
  if (answer !== undefined && answer.isUnsent !== true) {
    const line = answerLine(content, answer, rules)
    return {text: withLines([told], [line]), blocks: [...body, section(line)]}
  }
  const numbered = options.map((option, index) => `${index + 1}. ${option}`)
  const listed = numbered.map(escapeMrkdwn)
  // What a menu cuts short is read whole above it, under the same number: two may begin alike.
  const isCut = options.some(({length}) => length > MAX_IN_MENU)
  const unsent = answer === undefined ? [] : [words.unsent(nameIn(answer, rules))]
  return {
    text: withLines([told, ...listed], unsent),
    blocks: [
      ...body,
      ...(isCut ? listed.map(section) : []),
      ...elementsOf(content, isCut ? numbered : options),
      ...unsent.map(section),
    ],
  }
}

/** What came of it stands below it whole, however long it is. */
function withLines(said: readonly string[], outcome: readonly string[]): string {
  const below = outcome.map((line) => `\n${line}`).join('')
  return `${toFit(said.join('\n').trim(), MAX_TEXT - below.length)}${below}`.trim()
}

function elementsOf(
  {questionId, several, free}: QuestionContent,
  labels: readonly string[],
): KnownBlock[] {
  const other = free === true ? [button(ACTIONS.chooseOther, words.other, questionId)] : []
  if (several !== true) {
    return [row([...choiceElements(ACTIONS.choose, questionId, labels), ...other])]
  }
  const boxes = labels.map((label, index) => ({
    text: plain(labelOf(label)),
    value: `${questionId}.${index}`,
  }))
  const send = button(ACTIONS.chooseSeveral, words.send, questionId, {style: 'primary'})
  return [
    row([{type: 'checkboxes', action_id: ACTIONS.ticks, options: boxes}]),
    row([send, ...other]),
  ]
}

function row(elements: ActionsBlock['elements']): ActionsBlock {
  return {type: 'actions', elements}
}

function answerLine(
  {options}: QuestionContent,
  answer: NonNullable<QuestionContent['answer']>,
  rules: DrawRules,
): string {
  const {text} = answer
  const name = nameIn(answer, rules)
  if (text === undefined || name === undefined) return words.answered
  const chosen = chosenIn(text, options)
  if (chosen !== undefined) return words.chose(name, chosenText(chosen))
  const quoted = shorten(text, MAX_ANSWER, quotedLength).split('\n')
  return [words.wrote(name), ...quoted.map((line) => `> ${escapeMrkdwn(line)}`)].join('\n')
}

/** Each line of a quote has its mark, also an empty one. */
function quotedLength(text: string): number {
  return escapedLength(text) + '> '.length * (text.split('\n').length - 1)
}

/** `undefined`: whoever was forgotten meanwhile. */
function nameIn(
  {by}: NonNullable<QuestionContent['answer']>,
  {nameOf}: DrawRules,
): string | undefined {
  return by === NOBODY ? undefined : escapeMrkdwn(oneLine(nameOf(by), MAX_NAME))
}

/** An answer as it stands in a sentence. */
export function answerText(answer: string): string {
  return chosenText(answer.split('\n'))
}

function chosenText(chosen: readonly string[]): string {
  let left = MAX_ANSWER
  const shown: string[] = []
  for (const one of chosen) {
    if (left <= 1) return `${shown.join(', ')}, …`
    shown.push(`*${inBold(shorten(one, left, escapedLength), left)}*`)
    left -= escapedLength(one)
  }
  return shown.join(', ')
}

/** The lines of an answer, if each is one that was offered. */
function chosenIn(answer: string, options: readonly string[]): string[] | undefined {
  const lines = answer.split('\n')
  return lines.every((line) => options.includes(line)) ? lines : undefined
}
