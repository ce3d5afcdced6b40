import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {createCanvases} from '../../../src/slack/posts/canvases.ts'

test('nobody’s machine is asked for what an address beside a canvas shows', async () => {
  const posted: Record<string, string>[] = []
  const client = new WebClient('xoxb-test', {
    fetch: async (url, init) => {
      const body = Object.fromEntries(new URLSearchParams(init?.body as string))
      if (String(url).endsWith('chat.postMessage')) posted.push(body)
      const file = {permalink: 'https://acme.slack.com/docs/T1/F1'}
      return Promise.resolve(new Response(JSON.stringify({ok: true, ts: '2.0', file})))
    },
  })
  const canvases = createCanvases({client, isWanted: async () => true, nowMs: () => 0})
  const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}
  const text = 'Also attached: https://evil.example/a.png'
  await canvases.share({place, linkId: 'l', key: 'k', file: 'canvas:F1', text})
  expect(posted).toMatchObject([{unfurl_links: 'false', unfurl_media: 'false'}])
})

test('where Slack takes no canvas in a channel, that gets files for an hour, and others canvases', async () => {
  let nowMs = 0
  const refused = {ok: false, error: 'slack_connect_canvas_sharing_blocked'}
  const client = new WebClient('xoxb-test', {
    fetch: async (url, init) => {
      const {channel} = Object.fromEntries(new URLSearchParams(init?.body as string))
      const isRefused = String(url).endsWith('chat.postMessage') && channel === 'C1'
      const file = {permalink: 'https://acme.slack.com/docs/T1/F1'}
      const answer = isRefused ? refused : {ok: true, ts: '2.0', file, canvas_id: 'F1'}
      return Promise.resolve(new Response(JSON.stringify(answer)))
    },
  })
  const canvases = createCanvases({client, isWanted: async () => true, nowMs: () => nowMs})
  const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}
  const post = {place, linkId: 'l', key: 'k', text: 'Long'}
  const file = await canvases.make(place, 'Long')
  // As if nobody had answered: then it is made once more, and no canvas comes of it.
  const failing = canvases.share({...post, file: file ?? ''})
  await expect(failing).rejects.toMatchObject({
    ...{kind: 'retry', code: 'canvas_not_taken', isAnswered: true},
  })
  expect(await canvases.make(place, 'Long')).toBeUndefined()
  expect(await canvases.make({...place, channel: 'C2'}, 'Long')).toBe('canvas:F1')
  nowMs += 3_600_001
  expect(await canvases.make(place, 'Long')).toBe('canvas:F1')
})
