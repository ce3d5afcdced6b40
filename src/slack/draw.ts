import type {Button, KnownBlock} from '@slack/types'
import {toVisible} from '../markdown/visible.ts'
import {isWorking} from '../platform/model.ts'
import type {
  Attachments,
  CardContent,
  FileContent,
  PostContent,
  QuoteContent,
  SayContent,
  UnsureContent,
} from '../relay/post.ts'
import {ACTIONS, type ActionId} from './ids.ts'
import {escapeMarkdown, escapeMrkdwn, escapedLength} from './markup.ts'
import {drawSay} from './say.ts'
import {noticeText, stateText, texts} from './texts.ts'

/** A message as `chat.postMessage` and `chat.update` take it. */
export interface DrawnMessage {
  /** What notifications and screen readers say; also what shows when there are no blocks. */
  text: string
  blocks: KnownBlock[]
}

export interface DrawRules {
  /** A person's name by Slack user id. */
  nameOf: (userId: string) => string
  /** Holds `{threadId}`; no [Open] without it. */
  webUrl: string | undefined
}

/** People who are named in a content, so that their names can be looked up before it is drawn. */
export function peopleIn(content: PostContent): string[] {
  switch (content.kind) {
    case 'card':
      return [content.startedBy, ...(content.stoppedBy === undefined ? [] : [content.stoppedBy])]
    case 'unsure':
      return [content.sender]
    case 'say':
    case 'file':
    case 'quote':
      return []
    default:
      throw new Error(`Unknown content: ${JSON.stringify(content satisfies never)}`)
  }
}

/** Pure: the same content draws the same message. */
export function draw(content: PostContent, rules: DrawRules): DrawnMessage {
  const message = drawFully(content, rules)
  // A reply knows best how it is told without blocks.
  const isBare = content.kind !== 'say' && content.kind !== 'file' && content.plain === true
  return isBare ? {...message, blocks: []} : message
}

function drawFully(content: PostContent, rules: DrawRules): DrawnMessage {
  switch (content.kind) {
    case 'card':
      return drawCard(content, rules)
    case 'say':
      return drawSay(content, notesOf(content))
    case 'file':
      return drawFile(content)
    case 'quote':
      return drawQuote(content)
    case 'unsure':
      return drawUnsure(content, rules)
    default:
      throw new Error(`Unknown content: ${JSON.stringify(content satisfies never)}`)
  }
}

const MAX_TITLE = 140
const MAX_TOOL = 200
/** Of the platform's words for a status, of names, and of reasons: enough for all that mean well. */
const MAX_STATUS = 60
const MAX_NAME = 80
const MAX_NOTICE = 400
const MAX_URL = 3000

function drawCard(card: CardContent, rules: DrawRules): DrawnMessage {
  const title = oneLine(card.title ?? texts.card.untitled, MAX_TITLE)
  const headline = [`*${escapeMrkdwn(title)}*`, ...stateWords(card, rules)].join(' · ')
  const {notice, tool} = card
  const buttons = cardButtons(card, rules)
  return {
    text: headline,
    blocks: [
      section(headline),
      context(facts(card, rules).map(escapeMrkdwn).join(' · ')),
      ...(notice === undefined
        ? []
        : [section(escapeMrkdwn(oneLine(noticeText(notice), MAX_NOTICE)))]),
      ...(tool === undefined ? [] : [context(code(oneLine(tool, MAX_TOOL)))]),
      ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
    ],
  }
}

function stateWords(
  {state, status, sinceMs, stoppedBy, isStopping}: CardContent,
  {nameOf}: DrawRules,
): string[] {
  const stopped =
    stoppedBy === undefined
      ? []
      : [texts.card.stoppedBy(escapeMrkdwn(oneLine(nameOf(stoppedBy), MAX_NAME)))]
  if (state === 'starting') return [texts.card.starting]
  if (state === 'ended') return stopped
  if (status === undefined) return []
  if (status === 'idle' && stopped.length > 0) return stopped
  const words = escapeMrkdwn(oneLine(stateText(status), MAX_STATUS))
  const working = [`${words} since ${time(sinceMs)}`, ...(isStopping ? [texts.card.stopping] : [])]
  return isWorking(status) ? working : [words, ...stopped]
}

function facts(card: CardContent, {nameOf}: DrawRules): string[] {
  const {project, startedBy, steps, credits} = card
  return [
    oneLine(project, MAX_NAME),
    texts.card.askedBy(oneLine(nameOf(startedBy), MAX_NAME)),
    ...(steps === 0 ? [] : [texts.card.steps(steps)]),
    ...(credits === undefined || credits === 0 ? [] : [dollars(credits)]),
  ]
}

/** One credit is a thousandth of a dollar. What is no number reads as what it means. */
function dollars(credits: number): string {
  if (Number.isNaN(credits)) return 'cost unknown'
  if (!Number.isFinite(credits)) return 'cost unlimited'
  return `$${(credits / 1000).toFixed(2)}`
}

function cardButtons(card: CardContent, {webUrl}: DrawRules): Button[] {
  const {state, status, threadId} = card
  const isAtWork = state === 'open' && status !== undefined && isWorking(status)
  const value = `${card.linkId}.${revisionOf(card)}`
  const stop = button(ACTIONS.stop, texts.card.stop, value, {style: 'danger'})
  const url =
    threadId === undefined ? '' : webUrl?.replaceAll('{threadId}', encodeURIComponent(threadId))
  const isOpenable = url !== undefined && url !== '' && url.length <= MAX_URL
  const open = isOpenable ? [button(ACTIONS.open, texts.card.open, value, {url})] : []
  switch (state) {
    case 'starting':
      return [stop]
    case 'open':
      return [...(isAtWork ? [stop] : []), ...open, archiveButton(value, isAtWork)]
    case 'archived':
      return [...open, button(ACTIONS.unarchive, texts.card.unarchive, value)]
    case 'ended':
      return open
    default:
      throw new Error(`Unknown state: ${String(state satisfies never)}`)
  }
}

/** Two clicks on one state of the card are one; after it changed, a click is a new one. */
function revisionOf({state, status, sinceMs, isStopping}: CardContent): string {
  const words = [state, status ?? '', sinceMs.toString(36), isStopping ? 'stopping' : '']
  return words
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 200)
}

function archiveButton(value: string, isAtWork: boolean): Button {
  const {title, text, confirm, deny} = texts.card.confirmArchive
  const ask = {title: plain(title), text: plain(text), confirm: plain(confirm), deny: plain(deny)}
  return button(ACTIONS.archive, texts.card.archive, value, isAtWork ? {confirm: ask} : {})
}

function notesOf({interrupted, again, continues, attachments}: SayContent): string[] {
  return [
    ...(attachments === undefined ? [] : [attachmentsNote(attachments)]),
    ...(continues === true ? [texts.say.continues] : []),
    ...(interrupted === true ? [texts.say.interrupted] : []),
    ...(again === true ? [texts.say.again] : []),
  ]
}

/** What stands beside a file. */
function drawFile({attachments}: FileContent): DrawnMessage {
  const notes = attachments === undefined ? [] : [attachmentsNote(attachments)]
  return {text: [texts.say.file, ...notes].map(escapeMrkdwn).join('\n'), blocks: []}
}

/** As they go out: beside a whole part they still fit into what `chat.update` takes. */
const MAX_NAMES_COST = 350
const MAX_NAME_OF_FILE = 60

function attachmentsNote({count, names}: Attachments): string {
  let all = ''
  for (const name of names) {
    const more = `${all === '' ? '' : `${all}, `}${oneLine(name, MAX_NAME_OF_FILE)}`
    if (escapedLength(more) > MAX_NAMES_COST) return texts.say.attachments(count, `${all}, …`)
    all = more
  }
  return texts.say.attachments(count, all)
}

const MAX_QUOTE_TEXT = 600

/** What somebody wrote elsewhere: told with their name, and as a quote, so that it is never taken for ours. */
function drawQuote({author, text}: QuoteContent): DrawnMessage {
  const from = texts.quote.from(oneLine(author, MAX_NAME) || texts.quote.somebody)
  // What becomes a line end when it is made visible must be one here already.
  const quoted = toVisible(text)
    .split('\n')
    .map((line) => `> ${line}`)
  return {
    text: escapeMrkdwn(`${from}: ${shorten(text, MAX_QUOTE_TEXT)}`),
    blocks: [
      context(escapeMrkdwn(from)),
      {type: 'markdown', text: escapeMarkdown(quoted.join('\n'))},
    ],
  }
}

const MAX_QUOTE = 300

function drawUnsure({sendId, sender, text}: UnsureContent, {nameOf}: DrawRules): DrawnMessage {
  const {headline, explanation, checkAgain, sendAgain} = texts.unsure
  const words = text.slice(text.indexOf('\n') + 1)
  const quote = `“${shorten(words, MAX_QUOTE)}” · ${oneLine(nameOf(sender), MAX_NAME)}`
  return {
    text: `${headline}: ${escapeMrkdwn(quote)}`,
    blocks: [
      section(`${headline}\n${escapeMrkdwn(quote)}`),
      context(explanation),
      {
        type: 'actions',
        elements: [
          button(ACTIONS.checkAgain, checkAgain, sendId),
          button(ACTIONS.sendAgain, sendAgain, sendId),
        ],
      },
    ],
  }
}

function button(
  actionId: ActionId,
  label: string,
  value: string,
  more: Pick<Button, 'style' | 'url' | 'confirm'> = {},
): Button {
  return {type: 'button', action_id: actionId, text: plain(label), value, ...more}
}

function plain(text: string): {type: 'plain_text'; text: string; emoji: true} {
  return {type: 'plain_text', text, emoji: true}
}

function section(text: string): KnownBlock {
  return {type: 'section', text: {type: 'mrkdwn', text}}
}

function context(text: string): KnownBlock {
  return {type: 'context', elements: [{type: 'mrkdwn', text}]}
}

/** Slack shows it in each reader's own time zone; the words behind the bar are for old clients. */
function time(ms: number): string {
  const clock = new Date(ms).toISOString().slice(11, 16)
  return `<!date^${Math.floor(ms / 1000)}^{time}|${clock} UTC>`
}

function code(text: string): string {
  return `\`${escapeMrkdwn(text.replaceAll('`', 'ˋ'))}\``
}

/** Words from outside that stand beside ours: they make no lines of their own, and turn nothing around. */
function oneLine(text: string, maxLength: number): string {
  const straight = text.replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
  return shorten(straight.replaceAll(/[\s\p{Cc}]+/gu, ' '), maxLength)
}

/** Cuts between visible characters. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  let short = ''
  for (const {segment} of new Intl.Segmenter().segment(text)) {
    if (short.length + segment.length >= maxLength) break
    short += segment
  }
  return `${short}…`
}
