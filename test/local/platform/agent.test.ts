import {describe, expect, test} from 'vitest'
import {toTitle, writeScript} from '../../../local/platform/agent/agent.ts'
import type {Script} from '../../../local/platform/agent/script.ts'
import {startPlatform} from '../../../local/platform/server.ts'
import {clientOf} from './client.ts'

const says = ({turns}: Script): string[] =>
  turns
    .flatMap(({steps}) => steps)
    .flatMap((step) => (step.kind === 'say' ? step.fragments.map(({text}) => text).join('') : []))

const durationMs = ({turns}: Script): number =>
  turns
    .flatMap(({steps}) => steps)
    .flatMap((step) => {
      if ('fragments' in step) return step.fragments.map(({delayMs}) => delayMs)
      return 'delayMs' in step ? [step.delayMs] : []
    })
    .reduce((sum, delayMs) => sum + delayMs, 0)

describe('the scenario', () => {
  test.each([
    ['repair the cart', 'idle', 1],
    ['Quick one', 'idle', 1],
    ['I have a QUESTION', 'pending_user', 1],
    ['ask me first', 'pending_user', 1],
    ['open a pull request', 'ready_for_review', 1],
    ['make a PR.', 'ready_for_review', 1],
    ['please fail!', 'error', 0],
    ['a long run', 'idle', 3],
    ['fan out to tasks', 'idle', 2],
    ['work in parallel', 'idle', 2],
    ['tasks that fail', 'idle', 2],
    ['wait for CI', 'waiting', 1],
    ['make a screenshot', 'idle', 1],
    ['this task is failing, longer and quicker', 'idle', 1],
  ])('of "%s" ends %s after %i deliveries', (text, rest, deliveries) => {
    const script = writeScript(text, 1)
    expect([script.rest, says(script).length]).toEqual([rest, deliveries])
  })

  test('is chosen by the task, not by who introduces it', () => {
    const script = writeScript('Jane Doe in #quick (chat:8k3f2p):\nrepair the cart', 1)
    expect(says(script)).toEqual(says(writeScript('repair the cart', 1)))
    expect(toTitle('Jane Doe in #web (chat:8k3f2p):\nrepair the cart')).toBe('repair the cart')
  })

  test('gives a title of whole words, and says where it was cut', () => {
    const task = 'fix the rounding of prices in the cart'
    expect(toTitle(`${task}.`)).toBe(task)
    expect(toTitle(`${task} of the shop`)).toBe(`${task}…`)
    expect(toTitle(`${'word'.repeat(15)} ${'long'.repeat(10)}`)).toBe(`${'word'.repeat(15)}…`)
    expect(toTitle('x'.repeat(100))).toBe(`${'x'.repeat(72)}…`)
    expect(toTitle('?!')).toBe('the task')
  })

  test('replies to usual work in 900 to 1500 characters of every kind of Markdown', () => {
    for (const task of [
      'x',
      'repair the cart',
      '日本語の仕事をお願いします',
      'word '.repeat(500),
    ]) {
      const [reply = ''] = says(writeScript(task, 1))
      expect(reply.length).toBeGreaterThanOrEqual(900)
      expect(reply.length).toBeLessThanOrEqual(1500)
      expect(reply).toMatch(/^## /)
      for (const mark of ['\n1. ', '| ---', '```ts\n', '](https://', '✅', '日本円']) {
        expect(reply).toContain(mark)
      }
    }
    expect(says(writeScript('repair the cart', 1))[0]).toContain('repair the cart')
  })

  test('of long work takes about a minute and ends with about 6,000 characters', () => {
    const script = writeScript('a long run', 1)
    expect(durationMs(script)).toBeGreaterThan(45_000)
    expect(durationMs(script)).toBeLessThan(75_000)
    const report = says(script).at(-1) ?? ''
    expect(report.length).toBeGreaterThan(5_500)
    expect(report.length).toBeLessThan(6_500)
  })

  test('depends on the text and the place of the message alone', () => {
    expect(writeScript('repair the cart', 2)).toEqual(writeScript('repair the cart', 2))
    expect(says(writeScript('repair the cart', 2))).not.toEqual(
      says(writeScript('repair the cart', 1)),
    )
  })
})

test('two threads with the same messages have the same transcript texts', async () => {
  await using platform = await startPlatform({pace: 0.01})
  const client = clientOf(platform)
  const transcripts = await Promise.all(
    [1, 2].map(async () => {
      const threadId = await client.create('repair the cart')
      await client.run(threadId)
      await client.post(`/threads/${threadId}/message`, {text: 'open a pull request'})
      await client.run(threadId)
      return platform.transcript(threadId).map(({source, text, tool}) => ({source, text, tool}))
    }),
  )
  expect(transcripts[0]).toEqual(transcripts[1])
  expect(transcripts[0]?.length).toBeGreaterThan(6)
})

test('images are attachments of the reply, and are billed with their endpoint', async () => {
  await using platform = await startPlatform({pace: 0.01})
  const client = clientOf(platform)
  const threadId = await client.create('make a screenshot')
  const frames = await client.run(threadId)
  const reply = frames.findLast(({data}) => data['source'] === 'assistant')
  const image = {
    id: expect.stringMatching(/^file_/) as string,
    mimeType: 'image/png',
    size: expect.any(Number) as number,
    url: expect.stringMatching(/^https:.*\.png$/) as string,
  }
  expect(reply?.data['attachments']).toEqual([
    {...image, name: 'before.png'},
    {...image, name: 'after.png'},
  ])
  const {usage} = (await client.get(`/threads/${threadId}`)).body
  expect(usage).toMatchObject({imageCredits: 80})
  const report = (await client.get('/usage')).body
  expect(report['byImageEndpoint']).toMatchObject([
    {imageEndpoint: 'images/standard', imageDollars: 0.08},
  ])
})
