import {maxMarkdown} from '../blocks/block.ts'
import {isRecord} from '../edge/arguments.ts'
import {quote, type Finding} from './lint.ts'
import {recordsIn, sizeOf, writtenTexts, type WrittenText} from './written.ts'

type Fields = Record<string, unknown>

/** What is wrong with what one call writes, whatever came before it. */
export function contentFindings(method: string, args: Fields): Finding[] {
  const texts = writtenTexts(args)
  return [
    ...lengthFindings(args, texts),
    ...nearLimits(args),
    ...texts.flatMap(textFindings),
    ...recordsIn(args).flatMap(recordFindings),
    ...messageFindings(method, args),
  ]
}

/** https://docs.slack.dev/reference/methods/chat.postMessage#truncating */
const recommendedText = 4_000
/** Slack refuses a little above it: https://github.com/slackapi/bolt-js/issues/2509 */
const maxBlockText = 13_000
/** Slack does not say how it counts, so what fills a limit to its brim may pass today and fail tomorrow. */
const headroom = 0.9

function lengthFindings(args: Fields, texts: WrittenText[]): Finding[] {
  const text = sizeOf(args['text'])
  const inBlocks = texts.filter(({isInBlocks}) => isInBlocks)
  const blockText = sum(inBlocks)
  const markdown = sum(texts.filter(({syntax}) => syntax === 'markdown'))
  return [
    ...(text > recommendedText
      ? [found('long-text', `sends ${text} characters of text; Slack recommends 4,000`)]
      : []),
    ...(blockText > maxBlockText
      ? [found('long-blocks', `sends ${blockText} characters in its blocks; Slack takes 13,000`)]
      : nearLimit('the text of all blocks', blockText, maxBlockText)),
    ...nearLimit('its Markdown', markdown, maxMarkdown),
  ]
}

/** By block and element type: https://docs.slack.dev/reference/block-kit */
const limits: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  section: {fields: 10, block_id: 255},
  header: {text: 150},
  context: {elements: 10},
  actions: {elements: 25},
  button: {text: 75, value: 2_000, url: 3_000, accessibility_label: 75, action_id: 255},
  mrkdwn: {text: 3_000},
  plain_text: {text: 3_000},
  image: {alt_text: 2_000, title: 2_000},
  input: {label: 2_000, hint: 2_000},
  card: {title: 150, subtitle: 150, body: 200},
  table: {rows: 100},
  task_update: {title: 256, details: 256, output: 256},
  plan_update: {title: 256},
  modal: {blocks: 100, title: 24, submit: 24, close: 24, private_metadata: 3_000},
  home: {blocks: 100, private_metadata: 3_000},
}
const maxBlocks = 50
const confirmLimits = {title: 100, text: 300, confirm: 30, deny: 30}

function nearLimits(args: Fields): Finding[] {
  return [
    ...nearLimit('its list of blocks', sizeOf(args['blocks']), maxBlocks),
    ...recordsIn(args).flatMap((fields) => {
      const {type, confirm} = fields
      return [
        ...nearFieldLimits(String(type), fields, limits[String(type)] ?? {}),
        ...(isRecord(confirm) ? nearFieldLimits('confirm', confirm, confirmLimits) : []),
      ]
    }),
  ]
}

function nearFieldLimits(
  type: string,
  fields: Fields,
  maxima: Readonly<Record<string, number>>,
): Finding[] {
  return Object.entries(maxima).flatMap(([name, max]) =>
    nearLimit(`${type}.${name}`, sizeOf(fields[name]), max),
  )
}

function nearLimit(what: string, size: number, max: number): Finding[] {
  if (size <= max * headroom) return []
  return [found('near-limit', `fills ${what} with ${size} of ${max}`)]
}

const pings = /<!(?:channel|here|everyone|subteam\^)[^>]*>/
/** C0 but tab and line ends, C1, and what turns the direction of writing around. */
const invisible = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069]/u
/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const token = /<(?:[@#!][^<>]+|(?:https?:|mailto:|tel:)[^<>]+)>/g
const entity = /&(?:amp|lt|gt);/g
const unsafeScheme = /^(?:javascript|data|vbscript):/i
/** Beginnings of links that run something, as each syntax writes them. */
const unsafeTargets = {
  mrkdwn: /<(?:javascript|data|vbscript):[^>|\s]*/i,
  markdown: /(?:\]\(\s*<?|<|^ {0,3}\[[^\]\n]+\]:\s*)(?:javascript|data|vbscript):[^)>\s]*/im,
}
const code = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|`[^`\n]*`/g

function textFindings({text, syntax}: WrittenText): Finding[] {
  const hidden = invisible.exec(text)?.[0]
  const literal =
    hidden === undefined
      ? []
      : [found('control-character', `writes the invisible character ${toCode(hidden)}`)]
  if (syntax === 'literal') return literal
  const ping = pings.exec(text)?.[0]
  const read = syntax === 'markdown' ? text.replaceAll(code, '') : text
  const link = unsafeTargets[syntax].exec(read)?.[0]
  return [
    ...literal,
    ...(ping === undefined ? [] : [found('ping', `pings with ${quote(ping)}`)]),
    ...(link === undefined ? [] : [found('unsafe-link', `links to ${quote(link)}`)]),
    ...(syntax === 'mrkdwn' ? unescaped(text) : []),
  ]
}

/** `>` at the start of a line is a quote; elsewhere it should have been escaped. */
function unescaped(text: string): Finding[] {
  const rest = text
    .replaceAll(token, '')
    .replaceAll(entity, '')
    .replaceAll(/^\s*>+/gm, '')
  const at = rest.search(/[&<>]/)
  if (at === -1) return []
  const near = rest.slice(Math.max(0, at - 20), at + 20)
  return [
    found('control-character', `leaves ${quote(rest.charAt(at))} unescaped in ${quote(near)}`),
  ]
}

function recordFindings({type, url, range}: Fields): Finding[] {
  if (type === 'broadcast') return [found('ping', `pings @${String(range)} from a rich text`)]
  return typeof url === 'string' && unsafeScheme.test(url)
    ? [found('unsafe-link', `links to ${quote(url)}`)]
    : []
}

function messageFindings(method: string, args: Fields): Finding[] {
  if (!/^chat\.(post|update)/.test(method)) return []
  const hasBlocks = sizeOf(args['blocks']) > 0
  const hasText = typeof args['text'] === 'string' && args['text'].trim() !== ''
  const flags = ['unfurl_links', 'unfurl_media'].filter((name) => !isOff(args[name]))
  return [
    ...(hasBlocks && !hasText
      ? [found('no-fallback-text', 'sends blocks without a text for notifications')]
      : []),
    ...(method === 'chat.update' && hasText && args['blocks'] === undefined
      ? [found('edited-label', 'edits by text alone, which brings the "(edited)" label')]
      : []),
    ...(method === 'chat.postMessage' && flags.length > 0
      ? [found('unfurl-flags', `does not set ${flags.join(' and ')} to false`)]
      : []),
  ]
}

function isOff(flag: unknown): boolean {
  return flag === false || flag === 'false' || flag === '0' || flag === 0
}

function found(kind: Finding['kind'], words: string): Finding {
  return {kind, words}
}

function sum(texts: readonly WrittenText[]): number {
  return texts.reduce((total, {text}) => total + text.length, 0)
}

function toCode(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
