import {isUtf8} from 'node:buffer'
import type {Link} from '../../store/tables/work/link.ts'
import type {NewRoomView} from '../../store/tables/work/room-views.ts'

/** Slack shows no more of one: https://docs.slack.dev/reference/methods/agents.conversations.setView */
const MAX_BYTES = 1_000_000

const KINDS = [
  ['html', /\.html?$/i],
  ['diff', /\.(?:diff|patch)$/i],
] as const

interface File {
  name: string
  bytes: Uint8Array
}

/** What of these files stands in a tab of the room of their work, too, and the names of those that are too large for one. */
export function roomViewsOf(
  {place}: Link,
  files: readonly File[],
): {views: NewRoomView[]; tooLarge: string[]} {
  const ours = place.isRoom === true ? files : []
  const shown = ours.map((file) => ({file, view: roomViewOf(file)}))
  return {
    views: shown.flatMap(({view}) => (typeof view === 'object' ? [view] : [])),
    tooLarge: shown.flatMap(({file, view}) => (view === 'too-large' ? [file.name] : [])),
  }
}

/** `undefined`: it is nothing for a tab. */
export function roomViewOf({name, bytes}: File): NewRoomView | 'too-large' | undefined {
  const kind = kindOf(name)
  if (kind === undefined || bytes.length === 0) return undefined
  if (bytes.length > MAX_BYTES) return 'too-large'
  if (!isUtf8(bytes)) return undefined
  const content = Buffer.from(bytes).toString('utf8')
  // No database of ours takes a text with such a character, and no page has one.
  return content.includes('\0') ? undefined : {kind, name, content}
}

function kindOf(name: string): NewRoomView['kind'] | undefined {
  return KINDS.find(([, pattern]) => pattern.test(name))?.[0]
}

/** Those of many that may stand in a tab: the last ones, as many as there are tabs. */
export function filesForRoom<Named extends Pick<File, 'name'>>(
  {place}: Link,
  files: readonly Named[],
): ReadonlySet<Named> {
  const fitting = files.filter(({name}) => kindOf(name) !== undefined)
  return new Set(place.isRoom === true ? fitting.slice(-MOST_TABS) : [])
}

const MOST_TABS = 5

/** Passes the bytes of a file on, and keeps as much of them as tells whether they are something for a tab. */
export function keepForRoom(isWanted: boolean) {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    bytes: (): Uint8Array => Buffer.concat(chunks),
    pass: async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        if (isWanted && size <= MAX_BYTES) {
          chunks.push(chunk.slice())
          size += chunk.length
        }
        yield chunk
      }
    },
  }
}
