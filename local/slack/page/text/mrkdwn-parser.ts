/** A stretch of text as Slack's mrkdwn means it. */
export type Inline =
  | {kind: 'text'; text: string}
  | {kind: 'strong' | 'emphasis' | 'strike'; children: Inline[]}
  | {kind: 'code'; text: string}
  | {kind: 'emoji'; name: string}
  | Token

/** What stands between `<` and `>`. */
export type Token =
  | {kind: 'link'; url: string; label: string}
  | {kind: 'user'; id: string}
  | {kind: 'channel'; id: string; name: string | undefined}
  | {kind: 'broadcast'; name: string}
  | {kind: 'date'; unixSeconds: number; format: string; url: string | undefined; fallback: string}

type MrkdwnBlock =
  {kind: 'paragraph' | 'quote'; children: Inline[]} | {kind: 'preformatted'; text: string}

/**
 * Slack's own markup, not Markdown: one mark on each side, `<…>` for everything that is more than
 * text, and three entities. https://docs.slack.dev/messaging/formatting-message-text
 */
export function parseMrkdwn(text: string): MrkdwnBlock[] {
  return text.split(/```([\s\S]+?)```/).flatMap((part, index): MrkdwnBlock[] => {
    if (index % 2 === 0) return parseLines(part)
    return [{kind: 'preformatted', text: plainTokens(part).replace(/^\n|\n$/g, '')}]
  })
}

export function parseInline(text: string): Inline[] {
  const nodes: Inline[] = []
  let from = 0
  for (const match of text.matchAll(special)) {
    if (match.index < from) continue // inside of what an earlier mark took
    const taken = readMark(text, match.index)
    if (!taken) continue
    pushText(nodes, text.slice(from, match.index))
    nodes.push(taken.node)
    from = taken.end
  }
  pushText(nodes, text.slice(from))
  return nodes
}

/** The token between `<` and `>`; Slack tells their kinds apart by the first character. */
export function parseToken(body: string): Token {
  const [target = '', ...rest] = body.split('|')
  const label = rest.length > 0 ? decodeEntities(rest.join('|')) : undefined
  if (target.startsWith('@')) return {kind: 'user', id: target.slice(1)}
  if (target.startsWith('#')) return {kind: 'channel', id: target.slice(1), name: label}
  if (target.startsWith('!date^')) return parseDate(target, label ?? '')
  if (target.startsWith('!')) return {kind: 'broadcast', name: broadcastOf(target, label)}
  const url = decodeEntities(target)
  return {kind: 'link', url, label: label ?? url.replace(/^mailto:/, '')}
}

function decodeEntities(text: string): string {
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
}

const special = /[<`*_~:]|https?:\/\//g
const kinds = {'*': 'strong', _: 'emphasis', '~': 'strike'} as const

function parseLines(part: string): MrkdwnBlock[] {
  const blocks: {kind: 'paragraph' | 'quote'; lines: string[]}[] = []
  for (const line of part.replace(/^\n|\n$/g, '').split('\n')) {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line)
    const kind = quoted ? 'quote' : 'paragraph'
    const text = quoted?.[1] ?? line
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(text)
    else blocks.push({kind, lines: [text]})
  }
  return blocks
    .filter(({lines}) => lines.some((line) => line !== ''))
    .map(({kind, lines}) => ({kind, children: parseInline(lines.join('\n'))}))
}

function readMark(text: string, at: number): {node: Inline; end: number} | undefined {
  const first = text.charAt(at)
  if (first === '<') return readPattern(text, at, /<([^<>\n]+)>/y, parseToken)
  if (first === '`') return readPattern(text, at, /`([^`\n]+)`/y, toCode)
  if (first === ':') return readPattern(text, at, /:([a-z0-9_+-]+(?:::skin-tone-\d)?):/y, toEmoji)
  if (first === 'h')
    return readPattern(text, at, /(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)'"`*_~])/y, toLink)
  return isMark(first) ? readSpan(text, at, first) : undefined
}

function readPattern(
  text: string,
  at: number,
  pattern: RegExp,
  toNode: (body: string) => Inline,
): {node: Inline; end: number} | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  return match?.[1] === undefined ? undefined : {node: toNode(match[1]), end: pattern.lastIndex}
}

/** `*bold*`: Slack wants a word boundary outside of both marks and none inside of them. */
function readSpan(
  text: string,
  at: number,
  mark: keyof typeof kinds,
): {node: Inline; end: number} | undefined {
  if (/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return undefined
  const pattern = new RegExp(
    `[${mark}](\\S|\\S[^\\n]*?\\S)[${mark}](?![\\p{L}\\p{N}${mark}])`,
    'uy',
  )
  return readPattern(text, at, pattern, (body) => ({
    kind: kinds[mark],
    children: parseInline(body),
  }))
}

function isMark(character: string): character is keyof typeof kinds {
  return character in kinds
}

const toCode = (body: string): Inline => ({kind: 'code', text: plainTokens(body)})
const toEmoji = (name: string): Inline => ({kind: 'emoji', name})
const toLink = (body: string): Inline => ({
  kind: 'link',
  url: decodeEntities(body),
  label: decodeEntities(body),
})

/** In code Slack shows a link's address, never its label. */
function plainTokens(text: string): string {
  return decodeEntities(text.replace(/<(https?:[^<>|\n]+)(?:\|[^<>\n]*)?>/g, '$1'))
}

function parseDate(target: string, fallback: string): Token {
  const [, seconds, format = '{date_short_pretty}', url] = target.split('^')
  return {kind: 'date', unixSeconds: Number(seconds), format, url, fallback}
}

function broadcastOf(target: string, label: string | undefined): string {
  const name = target.slice(1).split('^')[0] ?? ''
  return (label ?? name).replace(/^@/, '')
}

function pushText(nodes: Inline[], text: string): void {
  if (text !== '') nodes.push({kind: 'text', text: decodeEntities(text)})
}
