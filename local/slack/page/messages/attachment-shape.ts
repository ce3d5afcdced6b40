import type {SlackBlock} from '../../blocks/block.ts'
import {fieldsIn, stringIn, type Fields} from '../live/block-shape.ts'

export interface AttachmentShape {
  color: string | undefined
  pretext: string | undefined
  author: string | undefined
  authorUrl: string
  title: string | undefined
  titleUrl: string
  text: string | undefined
  fields: {name: string; value: string; isShort: boolean}[]
  image: Fields | undefined
  thumb: Fields | undefined
  footer: string | undefined
  atSeconds: number | undefined
  blocks: SlackBlock[]
}

/** Slack's names of colours; every other one is six hexadecimal digits. */
const named: Readonly<Record<string, string>> = {
  good: 'var(--good)',
  warning: 'var(--warning)',
  danger: 'var(--danger)',
}

export function attachmentIn(fields: Fields): AttachmentShape {
  const text = (name: string): string | undefined => stringIn(fields[name])
  const atSeconds = Number(fields.ts)
  return {
    color: colorOf(text('color')),
    pretext: text('pretext'),
    author: text('author_name'),
    authorUrl: text('author_link') ?? '',
    title: text('title'),
    titleUrl: text('title_link') ?? '',
    text: text('text') ?? (Array.isArray(fields.blocks) ? undefined : text('fallback')),
    fields: fieldsIn(fields.fields).map((field) => ({
      name: stringIn(field.title) ?? '',
      value: stringIn(field.value) ?? '',
      isShort: field.short === true,
    })),
    image: imageOf(text('image_url'), text('title')),
    thumb: imageOf(text('thumb_url'), text('title')),
    footer: text('footer'),
    atSeconds: atSeconds > 0 ? atSeconds : undefined,
    blocks: fieldsIn(fields.blocks).map((block) => ({...block, type: stringIn(block.type) ?? ''})),
  }
}

/** Only what is a colour and nothing else may become a style. */
function colorOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(value)?.[1]
  return named[value] ?? (digits === undefined ? undefined : `#${digits}`)
}

function imageOf(url: string | undefined, title: string | undefined): Fields | undefined {
  return url === undefined ? undefined : {image_url: url, alt_text: title ?? 'Picture'}
}
