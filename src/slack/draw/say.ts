import type {KnownBlock} from '@slack/types'
import type {SayContent} from '../../relay/post.ts'
import {escapeMarkdown, escapeMrkdwn, plainMrkdwn} from '../markup/markup.ts'
import {context} from './blocks.ts'

/**
 * A part of a reply with notes below it: the Markdown made honest, and beside it the same words without
 * marks, for notifications, screen readers and where Slack refuses the blocks.
 */
export function drawSay(
  {markdown, plain}: SayContent,
  notes: readonly string[],
): {text: string; blocks: KnownBlock[]} {
  const below = notes.map(escapeMrkdwn)
  const text = [plainMrkdwn(markdown), ...below].join('\n')
  if (plain === true) return {text, blocks: []}
  const body: KnownBlock[] =
    markdown.trim() === '' ? [] : [{type: 'markdown', text: escapeMarkdown(markdown)}]
  return {text, blocks: [...body, ...below.map(context)]}
}
