import {setImmediate} from 'node:timers/promises'
import type {Leaks} from '../../security/leaks.ts'
import type {Secret} from '../../security/secret.ts'
import {texts} from '../texts.ts'

/** The one place that all texts pass on their way to people: no secret that this process knows goes out with them. */
export interface Discretion {
  /** A token that goes out as a token. */
  learn(secret: Secret): void
  /** A token that was renewed. */
  retire(secret: Secret): void
  /** The arguments of a call as they are sent: a form. */
  hideInForm(form: string): string
  hideInJson(value: unknown): unknown
  /** What is a text is searched in parts, so that a long one keeps nobody waiting. */
  hideInFile(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>
}

/** Some ten milliseconds. */
const PART_CHARS = 200_000

export function createDiscretion(
  leaks: Pick<Leaks, 'learn' | 'retire' | 'hide' | 'hideAll'>,
): Discretion {
  const mark = texts.secretMark
  const hideInJson = (value: unknown): unknown => leaks.hideAll(value, mark)

  const hideInField = (value: string): string => {
    const hidden = leaks.hide(value, mark)
    if (hidden === value || !/^[[{]/.test(value)) return hidden
    // Blocks and views: what stands between two of their texts belongs to neither.
    try {
      return JSON.stringify(hideInJson(JSON.parse(value)))
    } catch {
      return hidden
    }
  }

  return {
    learn: (secret) => leaks.learn(secret),
    retire: leaks.retire,
    hideInForm: (form) => {
      const fields = [...new URLSearchParams(form)]
      const hidden = fields.map(([name, value]): [string, string] => [name, hideInField(value)])
      const isSame = hidden.every(([, value], index) => value === fields[index]?.[1])
      return isSame ? form : new URLSearchParams(hidden).toString()
    },
    hideInJson,
    hideInFile: async (bytes) => {
      const text = textOf(bytes)
      if (text === undefined) return bytes
      const parts: string[] = []
      for (let from = 0; from < text.length;) {
        const to = endOfPart(text, from)
        parts.push(leaks.hide(text.slice(from, to), mark))
        from = to
        await setImmediate()
      }
      const hidden = parts.join('')
      return hidden === text ? bytes : new TextEncoder().encode(hidden)
    },
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)
  } catch {
    return undefined
  }
}

/** Behind white space, where there is some: secrets have none. */
function endOfPart(text: string, from: number): number {
  const to = from + PART_CHARS
  if (to >= text.length) return text.length
  const space = Math.max(text.lastIndexOf('\n', to), text.lastIndexOf(' ', to))
  return space > from + PART_CHARS / 2 ? space + 1 : to
}
