import {expect, onTestFinished, test} from 'vitest'
import type {Activity} from '../../../src/relay/activity.ts'
import {createStatusLines} from '../../../src/slack/states/status-lines.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {slackThatSays} from './slack-that-says.ts'

const LINK = {...FRESH_LINK, status: 'active'}
const {place} = LINK
const THINKING: Activity = {kind: 'thinking'}

async function open(...errors: (string | undefined)[]) {
  const slack = await slackThatSays(...errors)
  const lines = createStatusLines(slack)
  onTestFinished(() => lines[Symbol.asyncDispose]())
  const reading = (file: string): Activity => ({
    ...{
      kind: 'tool',
      callId: file,
      name: 'read',
      text: `Read ${file}`,
      sinceMs: slack.clock.dateMs(),
    },
  })
  return {...slack, lines, reading, told: () => slack.calls('thread_ts', 'status')}
}

test('what the agent does is told, and that it is over; the same is told once', async () => {
  const {lines, reading, told, clock} = await open(undefined)
  const first = reading('a.ts')
  lines.show(LINK, first)
  await expect.poll(told).toEqual(['setStatus 1.0 is reading a.ts'])
  lines.show(LINK, first)
  lines.show(LINK, reading('b.ts'))
  await expect.poll(told).toHaveLength(2)
  lines.show(LINK, undefined)
  await expect
    .poll(told)
    .toEqual([
      ...['setStatus 1.0 is reading a.ts', 'setStatus 1.0 is reading b.ts', 'setStatus 1.0 '],
    ])
  lines.show(LINK, undefined)
  lines.posted(place)
  lines.show({...LINK, place: {...place, slackThread: '2.0'}}, THINKING)
  clock.advance(1499)
  expect(told()).toHaveLength(3)
  clock.advance(1)
  await expect.poll(told).toHaveLength(4)
  expect(told().at(-1)).toBe('setStatus 2.0 is thinking…')
})

test('it is told again before Slack ends it, with how long it has taken, and behind a message of ours', async () => {
  const {lines, reading, told, clock} = await open(undefined)
  lines.show(LINK, reading('a.ts'))
  await expect.poll(told).toHaveLength(1)
  clock.advance(59_000)
  expect(told()).toHaveLength(1)
  clock.advance(60_000)
  await expect.poll(told).toHaveLength(2)
  expect(told().at(-1)).toBe('setStatus 1.0 is reading a.ts (1 m)')
  lines.posted(place)
  await expect.poll(told).toHaveLength(3)
  expect(told().at(-1)).toBe('setStatus 1.0 is reading a.ts (1 m)')
})

test('what is written for long is told again every minute and a half', async () => {
  const {lines, told, clock} = await open(undefined)
  lines.show(LINK, {kind: 'writing'})
  clock.advance(1500)
  await expect.poll(told).toHaveLength(1)
  clock.advance(89_000)
  expect(told()).toHaveLength(1)
  clock.advance(16_000)
  await expect.poll(told).toEqual(['setStatus 1.0 is writing…', 'setStatus 1.0 is writing…'])
})

test('work that came to rest while nobody served it is told so, and none that has rested for long', async () => {
  const {lines, told, clock} = await open(undefined)
  const atRest = {...FRESH_LINK, statusSinceMs: clock.dateMs() - 60_000}
  lines.show({...atRest, place: {...place, slackThread: '2.0'}, statusSinceMs: 0}, undefined)
  lines.show(atRest, undefined)
  await expect.poll(told).toEqual(['setStatus 1.0 '])
})

test.for(['missing_scope', 'unknown_method'])('%s: there are none for an hour', async (error) => {
  const {lines, reading, told, clock} = await open(error, undefined)
  const other = {...LINK, place: {...place, slackThread: '2.0'}}
  lines.show(LINK, reading('a.ts'))
  await expect.poll(() => lines.isOnAt(other.place)).toBe(false)
  lines.show(other, reading('b.ts'))
  clock.advance(3_600_000)
  expect(lines.isOnAt(place)).toBe(true)
  lines.show(other, reading('c.ts'))
  await expect.poll(told).toHaveLength(2)
})

test('where one place has none, others have', async () => {
  const {lines, reading, told} = await open('method_not_supported_for_channel_type', undefined)
  const other = {...LINK, place: {...place, slackThread: '2.0'}}
  lines.show(LINK, reading('a.ts'))
  await expect.poll(() => lines.isOnAt(place)).toBe(false)
  expect(lines.isOnAt(other.place)).toBe(true)
  lines.show(other, reading('b.ts'))
  await expect.poll(told).toHaveLength(2)
})

test('once Slack says "not now", each channel gets one a second', async () => {
  const {lines, reading, told, clock} = await open('ratelimited', undefined)
  const show = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const slackThread = `${index}.0`
      lines.show({...LINK, place: {...place, slackThread}}, reading(`${index}.ts`))
    }
  }
  lines.show({...LINK, place: {...place, slackThread: '100.0'}}, reading('x.ts'))
  await expect.poll(told).toHaveLength(1)
  show(30)
  clock.advance(1500)
  await expect.poll(() => told().length).toBeGreaterThan(1)
  const before = told().length
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000)
    await expect.poll(() => told().length).toBeGreaterThan(before + second - 1)
  }
  expect(told().length - before).toBeLessThanOrEqual(11)
})
