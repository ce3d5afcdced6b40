import {isFields, stringIn, type Fields} from '../live/block-shape.ts'
import type {Token} from './mrkdwn-parser.ts'

type Mark = 'strong' | 'em' | 'del' | 'code' | 'u' | 'mark'

/** The style of an element as marks, the innermost first. */
export function marksIn(element: Fields): Mark[] {
  const style = isFields(element.style) ? element.style : {}
  const marks: [string, Mark][] = [
    ['code', 'code'],
    ['bold', 'strong'],
    ['italic', 'em'],
    ['strike', 'del'],
    ['underline', 'u'],
    ['highlight', 'mark'],
  ]
  return marks.filter(([name]) => style[name] === true).map(([, mark]) => mark)
}

export function textInElement(element: Fields): string {
  return stringIn(element.text) ?? ''
}

/** `unicode` names the code points: `1f44b-1f3fe`. */
export function emojiIn(element: Fields): string | undefined {
  const codes = stringIn(element.unicode)
    ?.split('-')
    .map((code) => Number.parseInt(code, 16))
  if (codes === undefined || !codes.every((code) => code >= 0 && code <= 0x10_ff_ff)) {
    return undefined
  }
  return String.fromCodePoint(...codes)
}

export function dateTokenIn(element: Fields): Extract<Token, {kind: 'date'}> {
  return {
    kind: 'date',
    unixSeconds: Number(element.timestamp),
    format: stringIn(element.format) ?? '{date_num}',
    url: stringIn(element.url),
    fallback: stringIn(element.fallback) ?? '',
  }
}

/** Only what is a colour and nothing else may become a style. */
export function colorIn(element: Fields): string | undefined {
  const value = stringIn(element.value)
  return value !== undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value) ? value : undefined
}
