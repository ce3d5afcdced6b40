import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/async/clock.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {createPermalinks} from '../../../src/slack/api/permalinks.ts'

const where = {channel: 'C1', slackThread: '1.1'}
const answering = (...permalinks: unknown[]) =>
  createPermalinks({
    client: {
      chat: {getPermalink: async () => ({ok: true, permalink: permalinks.shift()})},
    } as unknown as WebClient,
    pacer: createPacer({budgets: {}, clock: systemClock}),
    team: 'T1',
  })

test.each([undefined, null, 7, '', {}])(
  'an address that Slack tells as %j is none, and is asked for again',
  async (permalink) => {
    const permalinks = answering(permalink, 'https://acme.slack.com/archives/C1/p11')
    expect(await permalinks.find(where)).toBeUndefined()
    expect(permalinks.known(where)).toBeUndefined()
    expect(await permalinks.find(where)).toBe('https://acme.slack.com/archives/C1/p11')
    expect(permalinks.known(where)).toBe('https://acme.slack.com/archives/C1/p11')
  },
)
