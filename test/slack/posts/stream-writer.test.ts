import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {createStreamWriter} from '../../../src/slack/posts/stream-writer.ts'

const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}

/** A writer, and the Markdown of every call that it made. */
function openWriter() {
  const sent: string[] = []
  const client = new WebClient('xoxb-test', {
    fetch: async (url, init) => {
      const text = new URLSearchParams(await new Request(url, init).text()).get('markdown_text')
      if (text !== null) sent.push(text)
      return new Response(JSON.stringify({ok: true, channel: 'C1', ts: '1.1'}))
    },
  })
  return {sent, writer: createStreamWriter(client, {ending: (_place, end) => end(undefined)})}
}

const say = (markdown: string) => ({kind: 'say' as const, markdown})

test('nothing that is appended begins with white space, and joined it is what an edit shows', async () => {
  const {sent, writer} = openWriter()
  const text =
    'Prices are **rounded** once.\n\n- in `cart.ts`\n- & <nowhere> else, 価格は一度だけ丸められます。'
  const opened = await writer.open({place, key: 'k', reader: 'U1', content: say(text.slice(0, 9))})
  let {sent: said} = opened
  for (let length = 10; length < text.length; length += 3) {
    const stretch = {sent: said, content: say(text.slice(0, length)), until: 'word' as const}
    ;({sent: said} = await writer.append({place, ts: opened.ts, stretch}))
  }
  const stretch = {sent: said, content: say(text), until: 'end' as const}
  const last = await writer.close({place, linkId: 'l', key: 'k', ts: opened.ts, stretch})
  expect(last?.isAll).toBe(true)
  expect(sent.join('')).toBe(text.replaceAll('<', '&lt;'))
  expect(sent.length).toBeGreaterThan(5)
  for (const piece of sent) expect(piece).not.toMatch(/^\s/)
})

test('a text that does not go on as it began is not appended', async () => {
  const {sent, writer} = openWriter()
  const stretch = {sent: 'one ', content: say('two words'), until: 'end' as const}
  await expect(writer.append({place, ts: '1.1', stretch})).rejects.toThrow('no_continuation')
  const closed = await writer.close({place, linkId: 'l', key: 'k', ts: '1.1', stretch})
  expect([closed, sent]).toEqual([undefined, []])
})
