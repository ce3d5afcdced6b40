import type {Button, KnownBlock} from '@slack/types'
import {context, section} from './blocks.ts'
import type {Message} from './message.ts'

/** What stands in a list, drawn. */
export interface PageRow {
  line: string
  buttons: Button[]
}

/** One page of a list; `more` leads to the next one, `note` stands below all. */
export function drawPage(page: {
  headline: string
  rows: readonly PageRow[]
  more: Button | undefined
  note?: string | undefined
}): Message {
  const {headline, rows, more, note} = page
  const blocks: KnownBlock[] = [
    section(headline),
    ...rows.flatMap(({line, buttons}) => [section(line), ...actions(buttons)]),
    ...(note === undefined ? [] : [context(note)]),
    ...actions(more === undefined ? [] : [more]),
  ]
  const lines = rows.map(({line}) => line)
  return {text: [headline, ...lines, ...(note === undefined ? [] : [note])].join('\n'), blocks}
}

function actions(elements: Button[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{type: 'actions', elements}]
}
