import {expect, test} from 'vitest'
import type {Entry} from '../../../src/platform/model.ts'
import {clientOf, createHeard, entryIds, outline, type Client} from './client.ts'
import {sharedPlatform} from './open-platform.ts'

const platform = await sharedPlatform({pace: 0.05})
const client = clientOf(platform)

const ENTRIES = 200

/** A run that commits 199 entries, then writes a reply for a while. */
function planLongReply(): void {
  const entries = Array.from({length: ENTRIES - 1}, (_, index) => ({
    kind: 'entry' as const,
    entry: {source: 'assistant' as const, text: `Entry ${index}`, callId: `call-${index}`},
  }))
  const fragments = Array.from({length: 120}, (_, index) => `piece ${index} ✅ `)
  platform.control.planScript({
    when: {text: 'two hundred'},
    steps: [
      {kind: 'turn', steps: entries},
      {
        kind: 'turn',
        steps: [
          {kind: 'assistant', callId: 'unsettled', text: 'half a thought'},
          {kind: 'say', fragments, delayMs: 100},
        ],
      },
    ],
  })
}

const textOf = (frames: Awaited<ReturnType<Client['run']>>, callId: unknown): string =>
  frames
    .filter(({event, data}) => event === 'assistant' && data['callId'] === callId)
    .map(({data}) => data['text'])
    .join('')

test('every cursor of 200 entries yields the suffix, then the turn, then live frames, while others write', async () => {
  const writers = await Promise.all(
    Array.from({length: 6}, () => client.create('a long run', crypto.randomUUID())),
  )
  planLongReply()
  const {threadId, stream} = await createHeard(platform, client, 'two hundred entries')
  await using whole = stream
  // Its reply stops in the middle until all have come.
  using held = platform.control.holdAt(
    threadId,
    (event) => event.kind === 'assistant' && event.text.startsWith('piece 10'),
  )
  await whole.until('some of the reply', (frames) =>
    textOf(frames, frames.at(-1)?.data['callId']).includes('piece 10'),
  )
  const known = whole.frames.filter(({event}) => event === 'transcript')
  expect(known).toHaveLength(ENTRIES)
  const streams = await Promise.all(
    known.map(({id = ''}, index) =>
      index % 2 === 0
        ? client.stream(threadId, '?until=run', {'last-event-id': id})
        : client.stream(threadId, `?until=run&after=${encodeURIComponent(id)}`),
    ),
  )
  held[Symbol.dispose]()
  await Promise.all(streams.map((following) => following.ended()))
  const transcript = platform.transcript(threadId)
  const reply: Entry | undefined = transcript.at(-1)
  expect(transcript).toHaveLength(ENTRIES + 1)
  for (const [index, {frames}] of streams.entries()) {
    const suffix = transcript.slice(index + 1).map(({id}) => id)
    expect(entryIds(frames)).toEqual(suffix)
    expect(outline(frames)).toEqual([
      'status active',
      ...Array.from(suffix.slice(0, -1), () => 'transcript assistant'),
      'run start',
      'turn start',
      'assistant',
      'transcript assistant',
      'turn end settled',
      'run end',
      'status idle',
      'done',
    ])
    expect(textOf(frames, 'unsettled')).toBe('half a thought')
    expect(textOf(frames, reply?.callId)).toBe(reply?.text)
  }
  for (const id of writers) expect((await client.run(id)).at(-1)?.event).toBe('done')
})
