import {expect, test} from 'vitest'
import {createSlackTime} from '../../../src/slack/api/slack-time.ts'

test('Slack is asked what time it is once in a while, without a token, and again where it did not answer', async () => {
  const asked: unknown[] = []
  const heard: (string | null)[] = []
  let silences = 0
  const answers = [new Error('away'), 'Fri, 27 Nov 2026 22:00:00 GMT']
  const open = (everyMs: number) =>
    createSlackTime({
      slackApiUrl: 'https://slack.example/api/',
      fetch: async (url, init) => {
        asked.push([url, init?.headers])
        const date = answers.shift()
        if (typeof date !== 'string') throw date ?? new Error('away')
        return new Response('{"ok":true}', {headers: {date}})
      },
      onDate: (date) => void heard.push(date),
      onSilence: () => void (silences += 1),
      everyMs,
    })
  const ask = open(0)
  ask()
  ask()
  await expect.poll(() => heard).toEqual(['Fri, 27 Nov 2026 22:00:00 GMT'])
  expect(silences).toBe(1)
  expect(asked).toEqual([
    ['https://slack.example/api/api.test', undefined],
    ['https://slack.example/api/api.test', undefined],
  ])
  const seldom = open(60_000)
  seldom()
  seldom()
  expect(asked).toHaveLength(3)
})
