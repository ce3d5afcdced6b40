import type {Button} from '@slack/types'
import type {Thread} from '../../../../platform/model.ts'
import {ACTIONS} from '../../../../slack/ids.ts'
import {MAX_NAME, inBold, moment, nameLine, oneLine} from '../../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../../slack/markup/markup.ts'
import {texts, threadText} from '../../../../slack/texts.ts'
import {
  type DrawRules,
  type Message,
  button,
  openButtons,
  section,
} from '../../../../slack/draw/blocks.ts'
import {either} from '../../../../slack/texts/refusals.ts'
import {type PageRow, drawPage} from '../../../../slack/draw/list.ts'
import type {Sought} from '../request.ts'
import {stateWords} from '../states.ts'
import {findTexts} from '../texts.ts'
import {MAX_VALUE, toFindValue} from './value.ts'

const MAX_TITLE = 140
const MAX_STATUS = 60
/** Slack takes so many characters on a button. */
const MAX_LABEL = 70

/** Work on the platform that no Slack thread here shows; `automation`: the name of the one that began it. `stoppedBy`: in a Slack thread elsewhere. */
export function drawFound(
  thread: Thread,
  {webUrl}: Pick<DrawRules, 'webUrl'>,
  {automation, stoppedBy}: {automation?: string | undefined; stoppedBy?: string | undefined} = {},
): PageRow {
  const {begunBy, elsewhere, follow} = findTexts
  const {id, title} = thread
  const line = [
    `*${inBold(title ?? texts.card.untitled, MAX_TITLE)}*`,
    escapeMrkdwn(oneLine(threadText(thread, stoppedBy), MAX_STATUS)),
    ...(automation === undefined ? [] : [begunBy(inBold(automation, MAX_NAME))]),
    elsewhere,
  ].join(' · ')
  const buttons = [
    ...(id.length <= MAX_VALUE ? [button(ACTIONS.findFollow, follow, id)] : []),
    ...openButtons(id, 'found', {webUrl, nameOf: (name) => name}),
  ]
  return {line, buttons}
}

/** What was looked for, drawn: the words, and each filter. `by`: how they are called. */
export function soughtWords(
  {words, state, repo, sinceMs, untilMs}: Sought,
  by: string | undefined,
) {
  const {by: ofWhom, repo: inRepo, since, until} = findTexts
  return {
    words: inBold(words, words.length),
    filters: [
      ...(state === undefined ? [] : [stateWords(state)]),
      ...(by === undefined ? [] : [ofWhom(nameLine(by))]),
      ...(repo === undefined ? [] : [inRepo(nameLine(repo))]),
      ...(sinceMs === undefined ? [] : [since(moment(sinceMs))]),
      ...(untilMs === undefined ? [] : [until(moment(untilMs))]),
    ],
  }
}

/** The ways on: `isFull`: more of what was found; else there may be something further on. */
export function findTurns({
  next,
  isFull,
  first,
}: {
  next: string | undefined
  isFull: boolean
  first: string | undefined
}): Button[] {
  const {more, back} = texts.commands.list
  return [
    ...(next === undefined
      ? []
      : [button(ACTIONS.findMore, isFull ? more : findTexts.further, next)]),
    ...(first === undefined ? [] : [button(`${ACTIONS.findMore}:1`, back, first)]),
  ]
}

/** What is wrong with a filter, with a button for each value that may be meant. */
export function drawWrongFilter(
  text: (near: string) => string,
  offers: readonly {label: string; sought: Sought}[],
): Message {
  const near = either(offers.map(({label}) => `*${inBold(label, MAX_NAME)}*`))
  const turns = offers.map(({label, sought}, at) =>
    button(`${ACTIONS.findMore}:${at}`, oneLine(label, MAX_LABEL), toFindValue(sought)),
  )
  return drawPage({headline: text(near), rows: [], turns})
}

/** What to do where it is no longer known how far somebody had looked. */
export function drawLost(sought: Sought): Message {
  const {lost, again} = findTexts
  const elements = [button(ACTIONS.findMore, again, toFindValue(sought))]
  return {text: lost, blocks: [section(lost), {type: 'actions', elements}]}
}
