import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {createWriter} from '../../../src/slack/posts/writer.ts'

const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}

/** A Slack that refuses so many deletions, and says that of the channel when it is asked. */
function openWriter(isArchived: boolean, refusals = Infinity) {
  let left = refusals
  const client = new WebClient('xoxb-test', {
    fetch: async (url) => {
      const isRefused = String(url).endsWith('chat.delete') && (left -= 1) >= 0
      const answer = {ok: true, channel: {id: 'C1', is_archived: isArchived}}
      const refusal = {ok: false, error: 'cant_delete_message'}
      return new Response(JSON.stringify(isRefused ? refusal : answer))
    },
  })
  const names = {user: async (id: string) => id, channel: async (id: string) => id}
  return createWriter({
    ...{client, names, webUrl: undefined, botUserId: 'U1', botId: 'B1'},
    sessions: {ending: async (_place, end) => end('closed')},
  })
}

test('a message that can’t be deleted stands in an archived channel, or can’t be deleted', async () => {
  const remove = (isArchived: boolean) => openWriter(isArchived).remove({place, ts: '1.1'})
  await expect(remove(true)).rejects.toMatchObject({kind: 'unusable', code: 'is_archived'})
  await expect(remove(false)).rejects.toMatchObject({kind: 'stuck', code: 'cant_delete_message'})
})

test('a message of a channel that was archived a moment ago is deleted', async () => {
  await openWriter(false, 1).remove({place, ts: '1.1'})
})

test('a message under another name bears no user, and is found again as ours', async () => {
  const metadata = {event_type: 'bosun_post', event_payload: {link: 'l', key: 'card'}}
  const messages = [
    {ts: '1.0', user: 'U2'},
    {ts: '1.1', subtype: 'bot_message', bot_id: 'B2', metadata},
    {ts: '1.2', subtype: 'bot_message', bot_id: 'B1', username: 'Ada', metadata},
  ]
  const answer = async () => Promise.resolve(new Response(JSON.stringify({ok: true, messages})))
  const client = new WebClient('xoxb-test', {fetch: answer})
  const names = {user: async (id: string) => id, channel: async (id: string) => id}
  const writer = createWriter({
    ...{client, names, webUrl: undefined, botUserId: 'U1', botId: 'B1'},
    sessions: {ending: async (_place, end) => end('closed')},
  })
  const sought = {place, linkId: 'l', key: 'card', file: undefined, isKnown: () => false}
  expect(await writer.find(sought)).toBe('1.2')
})
