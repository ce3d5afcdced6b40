import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {createWriter} from '../../../src/slack/posts/writer.ts'

const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}
const SOUGHT = {
  ...{linkId: 'l', key: 'card', file: undefined, sinceMs: undefined, search: undefined},
  isKnown: () => false,
  mayBeBare: true,
}

/** A Slack that refuses so many deletions, and says that of the channel when it is asked. */
function openWriter(isArchived: boolean, refusals = Infinity) {
  let left = refusals
  const asked: string[] = []
  const client = new WebClient('xoxb-test', {
    fetch: async (url) => {
      const method = String(url).split('/').at(-1) ?? ''
      asked.push(method)
      const isRefused = method === 'chat.delete' && (left -= 1) >= 0
      const answer = {ok: true, channel: {id: 'C1', is_archived: isArchived}}
      const refusal = {ok: false, error: 'cant_delete_message'}
      return new Response(JSON.stringify(isRefused ? refusal : answer))
    },
  })
  const names = {
    user: async (id: string) => id,
    channel: async (id: string) => id,
    place: async (id: string) => id,
  }
  const writer = createWriter({
    ...{client, names, webUrl: undefined, botUserId: 'U1', botId: 'B1'},
    sessions: {ending: async (_place, end) => end('closed')},
  })
  return {writer, asked}
}

test('a message that can’t be deleted stands in an archived channel, or can’t be deleted', async () => {
  const remove = (isArchived: boolean) => openWriter(isArchived).writer.remove({place, ts: '1.1'})
  await expect(remove(true)).rejects.toMatchObject({kind: 'unusable', code: 'is_archived'})
  await expect(remove(false)).rejects.toMatchObject({kind: 'stuck', code: 'cant_delete_message'})
})

test('a message of a channel that was archived a moment ago is deleted', async () => {
  const {writer, asked} = openWriter(false, 1)
  await writer.remove({place, ts: '1.1'})
  expect(asked).toEqual(['chat.delete', 'conversations.info', 'chat.delete'])
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
  const names = {
    user: async (id: string) => id,
    channel: async (id: string) => id,
    place: async (id: string) => id,
  }
  const writer = createWriter({
    ...{client, names, webUrl: undefined, botUserId: 'U1', botId: 'B1'},
    sessions: {ending: async (_place, end) => end('closed')},
  })
  expect(await writer.find({place, ...SOUGHT})).toBe('1.2')
})

test('a long Slack thread is looked through a page at a time, from when the message may stand', async () => {
  const metadata = {event_type: 'bosun_post', event_payload: {link: 'l', key: 'card'}}
  const asked: Record<string, string>[] = []
  const client = new WebClient('xoxb-test', {
    fetch: async (_url, init) => {
      const body = Object.fromEntries(new URLSearchParams(init?.body as string))
      asked.push(body)
      const isFirst = body['cursor'] === undefined
      const messages = isFirst
        ? [
            {ts: '1.1', user: 'U1'},
            {ts: '1.2', user: 'U1', metadata},
          ]
        : [{ts: '1.3', user: 'U1'}]
      const more = isFirst ? {response_metadata: {next_cursor: 'page2'}} : {}
      return Promise.resolve(new Response(JSON.stringify({ok: true, messages, ...more})))
    },
  })
  const names = {
    user: async (id: string) => id,
    channel: async (id: string) => id,
    place: async (id: string) => id,
  }
  const writer = createWriter({
    ...{client, names, webUrl: undefined, botUserId: 'U1', botId: 'B1'},
    sessions: {ending: async (_place, end) => end('closed')},
  })
  const sought = {place, ...SOUGHT, sinceMs: 7_200_000}
  const search = await writer.find(sought)
  expect(search).toEqual({cursor: 'page2', found: '1.2', orphan: '1.1'})
  expect(asked).toHaveLength(1)
  if (typeof search !== 'object') return
  expect(await writer.find({...sought, search})).toBe('1.2')
  expect(asked.map(({oldest, cursor}) => [oldest, cursor])).toEqual([
    ['3600', undefined],
    ['3600', 'page2'],
  ])
})
