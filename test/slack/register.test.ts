import {expect, test} from 'vitest'
import type {Handling} from '../../src/inbox/worker.ts'
import {createFailureHandler} from '../../src/slack/register.ts'
import type {Workspace} from '../../src/app/workspaces.ts'

test('whoever did what could not be handled reads that it is our fault, and no exception', async () => {
  const told: unknown[] = []
  const answers = {
    answer: (...words: unknown[]) => void told.push(words),
    settle: () => undefined,
    note: () => undefined,
  }
  const givenUp: unknown[] = []
  const giveUpStart = async (of: {kind: string}) => void givenUp.push(of.kind)
  const fail = createFailureHandler((team) =>
    team === 'T1' ? ({answers, giveUpStart} as unknown as Workspace) : undefined,
  )
  const event = {
    ...{type: 'message', channel: 'C1', channel_type: 'channel', ts: '5.1', user: 'U1'},
    text: '<@U0BOT> fix it',
  }
  const body = (team: string) =>
    JSON.stringify({type: 'event_callback', team_id: team, event_id: 'Ev1', event})
  const handling = (of: string) =>
    ({row: {key: '["message","T1","C1","5.1"]', body: of}}) as Handling
  await fail(handling(body('T1')))
  await fail(handling(body('T2')))
  await fail(handling('{}'))
  expect(givenUp).toEqual(['message'])
  expect(told).toEqual([
    [
      expect.objectContaining({team: 'T1', user: 'U1'}),
      {text: 'Something went wrong on my side. Please try again.'},
    ],
  ])
})
