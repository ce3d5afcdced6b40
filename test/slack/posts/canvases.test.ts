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
