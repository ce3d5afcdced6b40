import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readLastWord} from '../../src/agents/last-word.ts'
import type {PlatformClient} from '../../src/platform/client.ts'
import type {Paging} from '../../src/platform/calls.ts'
import {type Entry, entrySchema} from '../../src/platform/model.ts'

const {signal} = new AbortController()
type Source = 'user' | 'assistant' | 'tool'

/** A transcript in pages; a cursor says how many entries stand in front of it, and the last page has none behind it. */
const clientOf = (entries: readonly Entry[], pageLength: number, least = 1) =>
  ({
    listMessages: async function* (
      _id: string,
      after: string | undefined,
      _signal: AbortSignal,
      {limit = pageLength, maxPages = Infinity, onPage}: Paging & {limit?: number},
    ) {
      const length = Math.max(limit, least)
      let from = Number(after ?? 0)
      for (let page = 0; page < maxPages; page += 1, from += length) {
        const to = from + length
        onPage?.(to < entries.length ? String(to) : null)
        yield* entries.slice(from, to)
        if (to >= entries.length) return
      }
    },
  }) as unknown as PlatformClient

const read = (sources: readonly Source[], pageLength = 50, least = 1) => {
  const entries = sources.map((source, at) =>
    entrySchema.parse({id: `e${at}`, source, text: `words ${at}`}),
  )
  return readLastWord(clientOf(entries, pageLength, least), 't', signal)
}

test('a transcript is picked up in front of the last words of its agent, behind what was said before', async () => {
  expect(await read(['user', 'assistant', 'tool', 'user', 'tool', 'assistant', 'user'])).toEqual({
    ...{text: 'words 5', earlier: 3, cursor: '5'},
  })
  expect(await read(['user', 'tool'])).toEqual({text: undefined, earlier: 0, cursor: undefined})
  expect(await read(['assistant'])).toEqual({text: 'words 0', earlier: 0, cursor: undefined})
})

test('nothing stands between the cursor and the last words, however the transcript is paged', async () => {
  const source = fc.constantFrom<Source>('user', 'assistant', 'tool')
  await fc.assert(
    fc.asyncProperty(
      fc.array(source, {maxLength: 12}),
      fc.integer({min: 1, max: 5}),
      async (sources, pageLength) => {
        const at = sources.lastIndexOf('assistant')
        const {text, earlier, cursor} = await read(sources, pageLength)
        expect(text).toBe(at < 0 ? undefined : `words ${at}`)
        expect(Number(cursor ?? 0)).toBe(Math.max(0, at))
        expect(earlier).toBe(sources.slice(0, Math.max(0, at)).filter((it) => it !== 'tool').length)
      },
    ),
  )
})

test('the last words stand behind the cursor also where pages are longer than they were asked for', async () => {
  const sources = ['user', 'tool', 'user', 'tool', 'assistant', 'user', 'user', 'user'] as const
  for (const least of [2, 3, 4]) expect(await read(sources, 4, least)).toMatchObject({cursor: '4'})
  const spread = ['user', 'user', 'tool', 'assistant', 'user', 'user', 'user', 'user'] as const
  expect(await read(spread, 4, 3)).toMatchObject({cursor: '3'})
  for (const least of [4, 20])
    expect(await read(spread, 4, least)).toMatchObject({cursor: undefined})
})
