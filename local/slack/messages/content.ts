import {maxMarkdown} from '../blocks/block.ts'
import {isRecord, type Arguments} from '../edge/arguments.ts'
import {acceptBlocks, textOfBlocks} from '../blocks/blocks.ts'
import type {MessageMetadata, StoredMessage} from './messages.ts'
import {pointers, Refusal} from '../edge/refusal.ts'

/** What a message says: the part of it that a call sets. */
export type Content = Pick<StoredMessage, 'text' | 'blocks' | 'attachments'>

const maxText = 40_000
/** Undocumented beyond that there is one: a strict guess. */
const maxMetadataBytes = 8_000

/**
 * The content a call carries, checked as in
 * https://docs.slack.dev/reference/methods/chat.postMessage; `undefined` when it carries none.
 */
export function readContent(args: Arguments, maxChars: number = Infinity): Content | undefined {
  const text = args.text('text') ?? ''
  const markdown = readMarkdownText(args)
  const attachments = readAttachments(args)
  const blocks =
    markdown === undefined
      ? args.has('blocks') && args.values['blocks'] !== ''
        ? acceptBlocks(args.values['blocks'])
        : undefined
      : acceptBlocks([{type: 'markdown', text: markdown}])
  if (text.length > maxChars) throw new Refusal('msg_too_long')
  const hasBlocks = blocks !== undefined && blocks.length > 0
  const nothing = text.trim() === '' && !hasBlocks && attachments.length === 0
  if (nothing) return undefined
  return {
    text: text === '' && hasBlocks ? textOfBlocks(blocks) : truncate(text),
    ...(hasBlocks ? {blocks} : {}),
    ...(attachments.length > 0 ? {attachments} : {}),
  }
}

/** https://docs.slack.dev/reference/methods/chat.postMessage#truncating: between two characters. */
function truncate(text: string): string {
  const wouldSplit = /[\uD800-\uDBFF]/.test(text.charAt(maxText - 1)) && text.length > maxText
  return text.slice(0, wouldSplit ? maxText - 1 : maxText)
}

export function isTruncated(args: Arguments): boolean {
  return (args.text('text') ?? '').length > maxText
}

function readMarkdownText(args: Arguments): string | undefined {
  const markdown = args.text('markdown_text')
  if (markdown === undefined || markdown === '') return undefined
  if (args.has('text') || args.has('blocks')) throw new Refusal('markdown_text_conflict')
  if (markdown.length > maxMarkdown) throw new Refusal('msg_too_long')
  return markdown
}

function readAttachments(args: Arguments): unknown[] {
  const attachments = args.values['attachments']
  if (attachments === undefined || attachments === '') return []
  if (!Array.isArray(attachments)) throw new Refusal('invalid_attachments')
  if (attachments.length > 100) throw new Refusal('too_many_attachments')
  return attachments
}

/** `undefined`: not sent (an edit keeps what is there); `'none'`: sent empty (an edit removes it). */
export function readMetadata(args: Arguments): MessageMetadata | 'none' | undefined {
  const metadata = args.values['metadata']
  if (metadata === undefined || metadata === null || metadata === '') return undefined
  if (!isRecord(metadata)) throw new Refusal('invalid_metadata_format')
  if (Object.keys(metadata).length === 0) return 'none'
  const {event_type: eventType, event_payload: eventPayload} = metadata
  if (typeof eventType !== 'string' || eventType === '' || !isRecord(eventPayload)) {
    throw new Refusal(
      'invalid_metadata_schema',
      pointers(['metadata needs event_type (a string) and event_payload (an object)']),
    )
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes) {
    throw new Refusal('metadata_too_large')
  }
  return {event_type: eventType, event_payload: eventPayload}
}
