import {expect, test} from 'vitest'
import type {Frame} from '../../src/platform/stream/frame.ts'
import type {LinkKeeper} from '../../src/relay/link-keeper.ts'
import {createProgress} from '../../src/relay/progress.ts'
import {FRESH_LINK} from '../support/fresh-link.ts'
import {createManualClock} from './manual-clock.ts'

const openProgress = (clock = createManualClock()) => {
  const keeper = {link: () => FRESH_LINK, note: () => undefined} as unknown as LinkKeeper
  return createProgress({keeper, drafts: [], isDone: false, clock})
}

const reply = (id: string, text: string): Frame => ({
  type: 'transcript',
  cursor: `c-${id}`,
  entry: {
    ...{id, source: 'assistant', text, callId: id, tool: undefined, model: undefined},
    ...{authorName: undefined, attachments: undefined},
  },
})

test.for([
  ['many short replies', 10_000, 10],
  ['a few long ones', 100, 60_000],
  ['one that is longer than that', 3, 1_000_000],
] as const)('%s that Slack has not taken yet make the stream wait', ([, count, size]) => {
  const progress = openProgress()
  let taken = 0
  while (taken < count && progress.room() === undefined) {
    progress.fold(reply(`e${taken}`, 'x'.repeat(size)), false)
    taken += 1
  }
  const {settled} = progress.timeline()
  expect(settled).toHaveLength(taken)
  const chars = settled.reduce((sum, {text}) => sum + text.length, 0)
  expect(chars - size).toBeLessThan(300_000)
  expect(taken).toBeLessThanOrEqual(200)
})

test('the stream goes on when Slack has taken enough', async () => {
  const progress = openProgress()
  for (const id of ['a', 'b', 'c']) progress.fold(reply(id, 'x'.repeat(200_000)), false)
  let isFree = false
  const room = progress.room()?.then(() => (isFree = true))
  progress.advance(new Map([['a', '1.0']]))
  await Promise.resolve()
  expect([isFree, room === undefined]).toEqual([false, false])
  progress.advance(new Map([['b', '2.0']]))
  await room
  expect(progress.room()).toBeUndefined()
})

test('what is to be shown waits from its arrival until it stands', () => {
  const clock = createManualClock()
  const progress = openProgress(clock)
  const came: number[] = []
  for (const id of ['a', 'b']) {
    came.push(clock.nowMs())
    progress.fold(reply(id, 'Said.'), false)
    clock.advance(1000)
  }
  expect(progress.waitingSinceMs()).toBe(came[0])
  progress.advance(new Map([['a', '1.0']]))
  expect(progress.waitingSinceMs()).toBe(came[1])
  progress.advance(new Map([['b', '2.0']]))
  expect(progress.waitingSinceMs()).toBeUndefined()
})

test('of what no message shows only the beginning is kept', () => {
  const progress = openProgress()
  progress.fold(reply('first', 'Said.'), false)
  const size = 1_000_000
  for (let line = 0; line < 100; line += 1) {
    const frame = reply(`t${line}`, `${line} `.padEnd(size, 'x'))
    if (frame.type === 'transcript') frame.entry.source = 'tool'
    progress.fold(frame, false)
  }
  const {settled, tool} = progress.timeline()
  const line = tool?.text ?? ''
  const chars = settled.reduce((sum, {text}) => sum + text.length, line.length)
  expect(chars).toBeLessThan(size)
  expect(line.startsWith('99 ')).toBe(true)
})

test('what Slack takes at last shows that the place can be written to', () => {
  const notes: object[] = []
  const keeper = {
    link: () => ({...FRESH_LINK, notice: {code: 'no-place'}}),
    note: (values: object) => void notes.push(values),
  } as unknown as LinkKeeper
  const progress = createProgress({
    ...{keeper, drafts: [], isDone: false, clock: createManualClock()},
  })
  const tool = reply('t', 'Ran it')
  if (tool.type === 'transcript') tool.entry.source = 'tool'
  // No post shows it.
  progress.fold(tool, false)
  expect(notes).toEqual([{cursor: 'c-t', steps: 3, newestTs: undefined}])
  progress.fold(reply('a', 'Said.'), false)
  progress.advance(new Map([['a', '1.0']]))
  expect(notes.slice(1)).toEqual([{notice: undefined}, {cursor: 'c-a', steps: 3, newestTs: '1.0'}])
})

test('of what goes on in a room nothing is held here, whether it is said or breaks off', () => {
  const notes: object[] = []
  const room = {channel: 'C9', ts: '9.0', isMoved: true}
  const keeper = {
    link: () => ({...FRESH_LINK, room}),
    note: (values: object) => void notes.push(values),
  } as unknown as LinkKeeper
  const progress = createProgress({
    ...{keeper, drafts: [], isDone: false, clock: createManualClock()},
  })
  progress.fold(reply('a', 'Said.'), false)
  expect(notes).toEqual([{cursor: 'c-a', steps: 2, newestTs: undefined}])
  progress.fold({type: 'assistant', callId: 'b', text: 'Half of'}, false)
  expect(progress.timeline().drafts).toHaveLength(1)
  progress.breakOff()
  expect(progress.timeline()).toMatchObject({settled: [], drafts: []})
  expect(progress.waitingSinceMs()).toBeUndefined()
})

test('what broke off is no message that others must stand behind', () => {
  const notes: object[] = []
  const keeper = {
    link: () => FRESH_LINK,
    note: (values: object) => void notes.push(values),
  } as unknown as LinkKeeper
  const progress = createProgress({
    ...{keeper, drafts: [], isDone: false, clock: createManualClock()},
  })
  const advance = (id: string, ts: string | undefined): string | undefined => {
    progress.fold(reply(id, 'Said.'), false)
    progress.advance(new Map([[id, ts]]))
    return progress.newestTs()
  }
  expect(advance('a', undefined)).toBeUndefined()
  expect(advance('b', '1.2')).toBe('1.2')
  expect(advance('c', '1.1')).toBe('1.2')
  expect(notes.at(-1)).toEqual({cursor: 'c-c', steps: 2, newestTs: '1.2'})
})
