import type {AnyChunk} from '@slack/types'
import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import {openSlack} from './slack-fixture.ts'

const recipient = {recipient_user_id: 'U0JANE', recipient_team_id: 'T0LOCAL'}
export const text = (value: string): AnyChunk => ({type: 'markdown_text', text: value})
export const divider = {type: 'divider'} as const

/** Jane asked in #web; `start` answers in her thread. */
export async function openStreamThread(options: LocalSlackOptions = {}) {
  const {slack, client} = await openSlack({rateScale: Infinity, ...options})
  const {ts: threadTs} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Fix it'})
  const place = {channel: 'C0WEB', thread_ts: threadTs, ...recipient}
  const start = async (rest: {markdown_text?: string; chunks?: AnyChunk[]} = {}) => {
    const {ts = ''} = await client.chat.startStream({...place, ...rest})
    return {channel: 'C0WEB', ts}
  }
  const readBack = async () => {
    const {messages = []} = await client.conversations.replies({channel: 'C0WEB', ts: threadTs})
    return messages.at(-1)
  }
  return {slack, client, threadTs, place, start, readBack}
}
