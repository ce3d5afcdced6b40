import {readableLength} from '../../markdown/readable.ts'
import {type Growth, type Part, eachPart} from '../../markdown/split.ts'
import {seamAt, toVisible} from '../../markdown/visible.ts'
import type {Attachments} from '../timeline/attachments.ts'
import {type Draft, visibleText} from '../timeline/drafts.ts'
import {type PostContent, USUAL, type WantedPost} from '../post.ts'
import type {SettledEntry} from '../timeline/timeline.ts'

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
/** … and where Slack takes no files, so many at most: in smaller ones as much. */
const MAX_TOLD = 24

/** The posts of a reply that is said, or of a quote. */
export function entryPosts(entry: SettledEntry, rule: SplitRule, shaping: Shaping): WantedPost[] {
  return shapedOnce(entry, rule, shaping, () => postsOfEntry(entry, rule, shaping))
}

/** The posts of a reply that is being written, or was. */
export function draftPosts(draft: Draft, rule: SplitRule, shaping: Shaping): WantedPost[] {
  return shapedOnce(draft, rule, shaping, () => postsOfDraft(draft, rule, shaping))
}

/** Entries and drafts don't change: each is cut into messages once, however often something else does. */
const shaped = new WeakMap<SettledEntry | Draft, {of: unknown[]; posts: WantedPost[]}>()

function shapedOnce(
  reply: SettledEntry | Draft,
  rule: SplitRule,
  {shapes, noFiles}: Shaping,
  toPosts: () => WantedPost[],
): WantedPost[] {
  const of = [rule, noFiles, shapes.get(reply.delivery ?? '')]
  const known = shaped.get(reply)
  if (known?.of.every((part, index) => part === of[index]) === true) return known.posts
  const posts = toPosts()
  shaped.set(reply, {of, posts})
  return posts
}

function postsOfEntry(entry: SettledEntry, rule: SplitRule, shaping: Shaping): WantedPost[] {
  const {delivery, author, text, attachments} = entry
  if (delivery === undefined) return []
  if (author !== undefined) return [quotePost(delivery, author, text, attachments)]
  if (text.trim() === '' && attachments === undefined) return [nothingToShow(delivery)]
  const {parts, rest} = shapeOf(delivery, text, rule, shaping)
  const isLast = (part: number): boolean => part === parts.length - 1
  const note = attachments !== undefined && {attachments}
  return [
    ...parts.map(({shown}, part) =>
      settledPost(sayKey(delivery, part), delivery, {
        kind: 'say',
        markdown: shown,
        ...(isLast(part) && rest !== '' && restNote(shaping)),
        ...(isLast(part) && note),
      }),
    ),
    ...(rest === '' || shaping.noFiles
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

function restNote({noFiles}: Shaping): {endsHere: true} | {continues: true} {
  return noFiles ? {endsHere: true} : {continues: true}
}

function settledPost(key: string, delivery: string, content: PostContent): WantedPost {
  return {...USUAL, key, delivery, content, isFinal: true, rank: 'final', isOrdered: true}
}

const MAX_QUOTE = 1500

/** A line as it stands in front of what somebody sends from a Slack thread, and its token; anybody may write one. */
const SENDER_LINE = /^(.{1,400}) \(slack:[0-9a-z]{8}\):\n/

function quotePost(
  delivery: string,
  author: string,
  whole: string,
  attachments: Attachments | undefined,
): WantedPost {
  const text = whole.replace(SENDER_LINE, '$1:\n')
  const short = text.length > MAX_QUOTE ? `${wholeCharacters(text.slice(0, MAX_QUOTE))}…` : text
  const quote = {author, text: short, ...(attachments !== undefined && {attachments})}
  return settledPost(delivery, delivery, {kind: 'quote', ...quote})
}

/** Never made: it stands for a reply that shows nothing, so that what a draft of it left goes. */
function nothingToShow(delivery: string): WantedPost {
  return {
    ...USUAL,
    key: `none:${delivery}`,
    delivery,
    content: {kind: 'say', markdown: ''},
    isFinal: true,
    rank: 'final',
    isCreated: false,
  }
}

function postsOfDraft(draft: Draft, rule: SplitRule, shaping: Shaping): WantedPost[] {
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
      ...(goesOn && part === parts.length - 1 && restNote(shaping)),
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
  return /[\uD800-\uDBFF\r]/.test(text.slice(-1)) ? text.slice(0, -1) : text
}

/** The messages of a reply, and what of it goes into a file. However long it is, it is read only as far as it is shown. */
function shapeOf(
  delivery: string,
  text: string,
  rule: SplitRule,
  {shapes, noFiles, growth = 'complete'}: Shaping & {growth?: Growth},
): {parts: Part[]; rest: string} {
  const shape = shapes.get(delivery)
  if (shape === 'file' && !noFiles) return {parts: [], rest: text}
  const maxCost = shape === undefined ? rule.maxCost : rule.maxCost / 4
  const end = seamAt(text, MAX_TOLD * rule.maxCost)
  const beginning = toVisible(text.slice(0, end))
  const isBeginning = end < text.length
  const parts: Part[] = []
  let read = 0
  let isMore = false
  const cut = eachPart(beginning, maxCost, rule.costOf, isBeginning ? 'complete' : growth)
  for (const part of cut) {
    const {shown, source} = part
    // Slack takes no message that shows nothing: a part that is only space is left out.
    const isShown = shown.trim() !== '' || source.length === beginning.length
    // What is cut off here would end otherwise in the text as a whole.
    const isCutOff = isBeginning && read + source.length === beginning.length
    isMore = isCutOff || (isShown && !noFiles && parts.length === MAX_PARTS)
    if (isMore) break
    read += source.length
    if (isShown) parts.push(part)
  }
  return {parts, rest: isMore ? beginning.slice(read) + text.slice(end) : ''}
}

function sayKey(delivery: string, part: number): string {
  return `say:${delivery}:${part}`
}
