import {readableLength} from '../../markdown/readable.ts'
import {type Growth, type Part, splitMarkdown} from '../../markdown/split.ts'
import {toVisible} from '../../markdown/visible.ts'
import {type Draft, visibleText} from '../drafts.ts'
import type {Attachments, PostContent, WantedPost} from '../post.ts'
import type {Settled} from '../timeline.ts'

export interface SplitRule {
  maxCost: number
  costOf: (text: string) => number
}

/** How replies have to be shaped, after what Slack refused so far. */
export interface Shaping {
  /** Deliveries that it refused even as plain text. */
  shapes: ReadonlyMap<string, 'small' | 'file'>
  /** It takes no files from us. */
  noFiles: boolean
}

/** So many messages of one reply; the rest of it comes as a file. */
const MAX_PARTS = 4

/** The posts of a reply that is said, or of a quote. */
export function entryPosts(entry: Settled, rule: SplitRule, shaping: Shaping): WantedPost[] {
  const {delivery, author, text} = entry
  if (delivery === undefined) return []
  if (author !== undefined) return [quotePost(delivery, author, text)]
  const attachments = toAttachments(entry.attachments)
  if (text.trim() === '' && attachments === undefined) return [nothingToShow(delivery)]
  const {parts, rest} = shapeOf(delivery, text, rule, shaping)
  const isLast = (part: number): boolean => part === parts.length - 1
  const note = attachments !== undefined && {attachments}
  return [
    ...parts.map(({shown}, part) =>
      settledPost(sayKey(delivery, part), delivery, {
        kind: 'say',
        markdown: shown,
        ...(isLast(part) && rest !== '' && {continues: true}),
        ...(isLast(part) && note),
      }),
    ),
    ...(rest === ''
      ? []
      : [
          settledPost(`file:${delivery}`, delivery, {
            kind: 'file',
            markdown: rest,
            ...(parts.length === 0 && note),
          }),
        ]),
  ]
}

function settledPost(key: string, delivery: string, content: PostContent): WantedPost {
  return {
    key,
    delivery,
    content,
    isFinal: true,
    rank: 'final',
    isCreated: true,
    isOrdered: true,
    draft: undefined,
  }
}

const MAX_QUOTE = 1500

/** Who says it and where, two names of Slack's longest, and its token, in front of what somebody sent from another Slack thread. */
const SENT_HERE = /^(.{1,400}) \(slack:[0-9a-z]{8}\):\n/

function quotePost(delivery: string, writer: string, whole: string): WantedPost {
  const [line = '', author = writer] = SENT_HERE.exec(whole) ?? []
  const text = whole.slice(line.length)
  const short = text.length > MAX_QUOTE ? `${wholeCharacters(text.slice(0, MAX_QUOTE))}…` : text
  return settledPost(delivery, delivery, {kind: 'quote', author, text: short})
}

/** The fields in which an attachment may bear its name: its shape is not documented. */
const NAME_FIELDS = ['name', 'filename', 'fileName', 'title'] as const

function toAttachments(attachments: readonly unknown[]): Attachments | undefined {
  if (attachments.length === 0) return undefined
  const names = attachments.flatMap((it) => {
    const fields = typeof it === 'object' && it !== null ? (it as Record<string, unknown>) : {}
    return NAME_FIELDS.map((field) => fields[field]).find(isName) ?? []
  })
  return {count: attachments.length, names}
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** Never made: it stands for a reply that shows nothing, so that what a draft of it left goes. */
function nothingToShow(delivery: string): WantedPost {
  return {
    key: `none:${delivery}`,
    delivery,
    content: {kind: 'say', markdown: ''},
    isFinal: true,
    rank: 'final',
    isCreated: false,
    isOrdered: false,
    draft: undefined,
  }
}

/** The posts of a reply that is being written, or was. */
export function draftPosts(draft: Draft, rule: SplitRule, shaping: Shaping): WantedPost[] {
  const {delivery, state} = draft
  if (state === 'replaced') return [nothingToShow(delivery)]
  const whole = wholeCharacters(visibleText(draft))
  const text = state === 'live' ? readableText(whole, draft.previous) : whole
  const isInterrupted = state === 'interrupted'
  // A reply that begins with the marks of a heading would be an empty message for a moment.
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)) {
    return isInterrupted ? [nothingToShow(delivery)] : []
  }
  const growth = state === 'live' ? 'growing' : 'complete'
  const {parts, rest} = shapeOf(delivery, text, rule, {...shaping, growth})
  const goesOn = rest !== '' && !isInterrupted
  return parts.map(({shown, source}, part) => ({
    key: sayKey(delivery, part),
    delivery,
    content: {
      kind: 'say',
      markdown: shown,
      ...(goesOn && part === parts.length - 1 && {continues: true}),
      // Each part says so: nobody can tell here which of them came to stand before it broke off.
      ...(isInterrupted && {interrupted: true}),
    },
    isFinal: isInterrupted,
    rank: isInterrupted ? 'final' : 'preview',
    // What an earlier connection left is shown no more than it was.
    isCreated: state === 'live',
    // What does not grow stays where it broke off, whatever comes behind it, until its entry moves it.
    isOrdered: state === 'live',
    draft: source,
  }))
}

/** Without what more text may turn into something else; what an earlier connection showed is not taken back. */
function readableText(whole: string, previous: string): string {
  const visible = toVisible(whole)
  const shown = toVisible(wholeCharacters(previous)).length
  return visible.slice(0, Math.max(shown, readableLength(visible)))
}

/** Half a character, or half a line end, may be at the end of what was cut: its other half is behind it. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF\r]$/, '')
}

/** The messages of a reply, and what of it goes into a file. */
function shapeOf(
  delivery: string,
  text: string,
  rule: SplitRule,
  {shapes, noFiles, growth = 'complete'}: Shaping & {growth?: Growth},
): {parts: Part[]; rest: string} {
  const shape = shapes.get(delivery)
  if (shape === 'file' && !noFiles) return {parts: [], rest: text}
  const maxCost = shape === undefined ? rule.maxCost : rule.maxCost / 4
  const parts = visibleParts(text, {...rule, maxCost, growth})
  if (noFiles || parts.length <= MAX_PARTS) return {parts, rest: ''}
  const rest = parts.slice(MAX_PARTS).map(({source}) => source)
  return {parts: parts.slice(0, MAX_PARTS), rest: rest.join('')}
}

/** Slack takes no message that shows nothing: a part that is only space is left out. */
function visibleParts(
  text: string,
  {maxCost, costOf, growth}: SplitRule & {growth: Growth},
): Part[] {
  const parts = splitMarkdown(toVisible(text), maxCost, costOf, growth)
  return parts.length === 1 ? parts : parts.filter(({shown}) => shown.trim() !== '')
}

function sayKey(delivery: string, part: number): string {
  return `say:${delivery}:${part}`
}
