import type {Arguments} from '../edge/arguments.ts'
import {Refusal} from '../edge/refusal.ts'

interface Page<Item> {
  page: Item[]
  has_more: boolean
  response_metadata: {next_cursor: string}
}

/** Slack's cursors: opaque, empty on the last page. https://docs.slack.dev/apis/web-api/pagination */
export function paged<Item>(
  args: Arguments,
  items: Item[],
  {fallback, max}: {fallback: number; max: number},
): Page<Item> {
  const limit = args.limit('limit', fallback, max)
  const start = readCursor(args.text('cursor') ?? '')
  const end = start + limit
  const hasMore = end < items.length
  return {
    page: items.slice(start, end),
    has_more: hasMore,
    response_metadata: {next_cursor: hasMore ? toCursor(end) : ''},
  }
}

function toCursor(offset: number): string {
  return Buffer.from(`offset:${offset}`).toString('base64')
}

function readCursor(cursor: string): number {
  if (cursor === '') return 0
  const offset = /^offset:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1]
  if (offset === undefined) throw new Refusal('invalid_cursor')
  return Number(offset)
}
