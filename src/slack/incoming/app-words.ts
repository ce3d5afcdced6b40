import {isRecord} from '../../security/foreign-json.ts'
import {escapeMrkdwn} from '../markup/markup.ts'

/** What an app says in a message, wherever in it: each thing once, one below the other. */
interface AppWords {
  /** In Slack's markup. */
  written: string
  /** With words for Slack's tokens. */
  plain: string
}

/** More than Slack shows. */
const MAX_TEXT = 10_000
/** In which fields of blocks, attachments and their parts words stand that people read. */
const WORDS = ['pretext', 'title', 'title_link', 'text', 'value', 'fallback', 'footer', 'url']
const PARTS = ['attachments', 'blocks', 'fields', 'elements', 'accessory', 'message_blocks']
const MAX_DEPTH = 12

/** What stands in blocks is often said in a text beside them, too. */
export function readAppWords(told: {
  text?: string | null | undefined
  attachments?: unknown
  blocks?: unknown
}): AppWords {
  let plain = ''
  const written: string[] = []
  const add = (words: string, isMarkup: boolean): void => {
    const readable = toPlainWords(words).trim()
    // One search, however many parts there are: thousands of them may be a letter each.
    if (readable === '' || plain.length > MAX_TEXT || plain.includes(readable)) return
    plain = plain === '' ? readable : `${plain}\n${readable}`
    written.push(isMarkup ? words : escapeMrkdwn(words))
  }
  const read = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || plain.length > MAX_TEXT) return
    if (Array.isArray(value)) {
      for (const one of value) read(one, depth + 1)
      return
    }
    if (!isRecord(value)) return
    // Those of rich text are as they were typed.
    const isMarkup = value['type'] !== 'text' && value['type'] !== 'link'
    for (const name of WORDS) {
      // Of a field, and not what a button sends.
      if (name === 'value' && typeof value['title'] !== 'string') continue
      const words = value[name]
      if (typeof words === 'string') add(words, isMarkup)
      else read(words, depth + 1)
    }
    for (const name of PARTS) read(value[name], depth + 1)
  }
  add(told.text ?? '', true)
  for (const name of ['attachments', 'blocks'] as const) read(told[name], 0)
  return {written: written.join('\n'), plain: plain.slice(0, MAX_TEXT)}
}

/** Slack's tokens as words; nobody is asked for the names of people. */
function toPlainWords(text: string): string {
  const cut = text.slice(0, MAX_TEXT)
  const readable = cut.replaceAll(
    /<([^<>|]*)(?:\|([^<>]*))?>/g,
    (_all, target: string, label: string | undefined = '') => {
      if (!/^https?:|^mailto:/.test(target)) return label || target
      return label === '' || label === target ? target : `${label} (${target})`
    },
  )
  return readable.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
