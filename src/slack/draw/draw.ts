import {toVisible} from '../../markdown/visible.ts'
import type {Attachments} from '../../relay/timeline/attachments.ts'
import {BUDGET} from '../../agents/budgets/budgets.ts'
import type {
  CardContent,
  FileContent,
  PostContent,
  QuoteContent,
  SayContent,
  UnsureContent,
} from '../../relay/post.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, oneLine, shorten} from '../markup/lines.ts'
import {escapeMarkdown, escapeMrkdwn, escapedLength, plainMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawRules, type DrawnMessage, button, context, section} from './blocks.ts'
import {drawBudget} from './budget.ts'
import {drawCard} from './card.ts'
import {drawChoices} from './choices.ts'
import {drawNotification} from './notification.ts'
import {drawPlan} from './plan.ts'
import {drawPullRequest} from './pull-request.ts'
import {drawWaiting} from './waiting.ts'
import type {KnownBlock} from '@slack/types'

/** People who are named in a content, so that their names can be looked up before it is drawn. */
export function peopleIn(content: PostContent): string[] {
  switch (content.kind) {
    case 'card':
      return [content.startedBy, ...stopperOf(content)]
    case 'budget':
      return [content.person, ...(content.endedBy === undefined ? [] : [content.endedBy])]
    case 'unsure':
      return [content.sender]
    case 'waiting':
    case 'held':
    case 'held-archived':
      return [...new Set(content.rows.map(({sender}) => sender))]
    case 'ping':
      return [
        ...(content.endedBy === undefined ? [] : [content.endedBy]),
        ...(content.words.answers ?? []).map(({by}) => by),
      ]
    case 'question':
      return content.answer === undefined ? [] : [content.answer.by]
    case 'say':
    case 'file':
    case 'quote':
    case 'plan':
    case 'pull-request':
      return []
    default:
      throw new Error(`Unknown content: ${JSON.stringify(content satisfies never)}`)
  }
}

/** The budget is nobody. */
function stopperOf({stoppedBy}: CardContent): string[] {
  return stoppedBy === undefined || stoppedBy === BUDGET ? [] : [stoppedBy]
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
    case 'waiting':
    case 'held':
    case 'held-archived':
      return drawWaiting(content, rules)
    case 'ping':
      return drawNotification(content, rules)
    case 'plan':
      return drawPlan(content)
    case 'question':
      return drawChoices(content, rules)
    case 'pull-request':
      return drawPullRequest(content.linkId, content.address, content.state)
    case 'budget':
      return drawBudget(content, rules)
    default:
      throw new Error(`Unknown content: ${JSON.stringify(content satisfies never)}`)
  }
}

function notesOf(content: SayContent): string[] {
  const {interrupted, isPutAway, again, continues, endsHere, attachments} = content
  return [
    ...(attachments === undefined ? [] : [attachmentsNote(attachments)]),
    ...(continues === true ? [texts.say.continues] : []),
    ...(endsHere === true ? [texts.say.endsHere] : []),
    ...(interrupted === true
      ? [isPutAway === true ? texts.say.putAway : texts.say.interrupted]
      : []),
    ...(again === true ? [texts.say.again] : []),
  ]
}

/** What stands beside a file. */
function drawFile({attachments}: FileContent): DrawnMessage {
  const notes = attachments === undefined ? [] : [attachmentsNote(attachments)]
  return {text: [texts.say.file, ...notes].map(escapeMrkdwn).join('\n'), blocks: []}
}

/** As they go out: beside a whole part and all other notes they still fit into what `chat.update` takes. */
const MAX_NAMES_COST = 130
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
function drawQuote({author, text, attachments}: QuoteContent): DrawnMessage {
  const from = texts.quote.from(oneLine(author, MAX_NAME) || texts.quote.somebody)
  const notes = attachments === undefined ? [] : [attachmentsNote(attachments)]
  const isEmpty = text.trim() === ''
  const short = shorten(text, MAX_QUOTE_TEXT)
  // What becomes a line end when it is made visible must be one here already.
  const quoted = toVisible(text)
    .split('\n')
    .map((line) => `> ${line}`)
  return {
    text: escapeMrkdwn([isEmpty ? from : `${from}: ${short}`, ...notes].join('\n')),
    blocks: [
      context(escapeMrkdwn(from)),
      // A quote of nothing would be an empty bar.
      ...(isEmpty ? [] : [{type: 'markdown' as const, text: escapeMarkdown(quoted.join('\n'))}]),
      ...notes.map((note) => context(escapeMrkdwn(note))),
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

/**
 * A part of a reply with notes below it: the Markdown made honest, and beside it the same words without
 * marks, for notifications, screen readers and where Slack refuses the blocks.
 */
export function drawSay(
  {markdown, plain}: SayContent,
  notes: readonly string[],
): {text: string; blocks: KnownBlock[]} {
  const below = notes.map(escapeMrkdwn)
  const text = [plainMrkdwn(markdown), ...below].join('\n')
  if (plain === true) return {text, blocks: []}
  const body: KnownBlock[] =
    markdown.trim() === '' ? [] : [{type: 'markdown', text: escapeMarkdown(markdown)}]
  return {text, blocks: [...body, ...below.map(context)]}
}
