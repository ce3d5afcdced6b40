import {isUtf8} from 'node:buffer'

/** The Markdown of a file that a canvas could show as it is meant; `undefined`: it is nothing for one. */
export function reportIn({name, bytes}: {name: string; bytes: Uint8Array}): string | undefined {
  if (!/\.(?:md|markdown)$/i.test(name) || !isUtf8(bytes)) return undefined
  return Buffer.from(bytes).toString('utf8')
}
