import {isRecord} from '../edge/arguments.ts'

/** One text that a call writes, and by which rules Slack reads it. */
export interface WrittenText {
  text: string
  syntax: 'mrkdwn' | 'markdown' | 'literal'
  /** Inside `blocks`, `view` or `chunks`: what counts towards the length of a message's blocks. */
  isInBlocks: boolean
}

/** A record somewhere inside a call's arguments. */
type Fields = Record<string, unknown>

const structures = ['blocks', 'chunks', 'view', 'attachments', 'unfurls']

/** Every text that the arguments of one call put in front of people. */
export function writtenTexts(args: Fields): WrittenText[] {
  const plain = [
    toText(args['text'], 'mrkdwn', false),
    toText(args['markdown_text'], 'markdown', false),
    toText(args['initial_comment'], 'mrkdwn', false),
  ].flat()
  const inside = recordsIn(args).flatMap((fields) => textsOf(fields))
  return [...plain, ...inside]
}

/** Every record inside the structured arguments, outer ones first. */
export function recordsIn(args: Fields): Fields[] {
  return structures.flatMap((name) => walk(args[name]))
}

function walk(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(walk)
  if (!isRecord(value)) return []
  return [value, ...Object.values(value).flatMap(walk)]
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
function textsOf(fields: Fields): WrittenText[] {
  switch (fields['type']) {
    case 'mrkdwn':
      return toText(fields['text'], 'mrkdwn', true)
    case 'markdown':
    case 'markdown_text':
      return toText(fields['text'], 'markdown', true)
    case 'plain_text':
    case 'text':
      return toText(fields['text'], 'literal', true)
    case undefined:
      // An attachment: https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments
      return [
        ...toText(fields['pretext'], 'mrkdwn', false),
        ...toText(fields['fallback'], 'mrkdwn', false),
        ...toText(fields['text'], 'mrkdwn', false),
      ]
    default:
      return []
  }
}

function toText(text: unknown, syntax: WrittenText['syntax'], isInBlocks: boolean): WrittenText[] {
  return typeof text === 'string' && text !== '' ? [{text, syntax, isInBlocks}] : []
}

/** The length of a text, a text object or a list; nothing else has one. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isRecord(value) && typeof value['text'] === 'string' ? value['text'].length : 0
}
