import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {ASSUMPTIONS} from '../../src/slack/assumptions/catalogue.ts'
import {openSlack} from '../local/slack/slack-fixture.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'
import {tool} from '../support/tool.ts'

const CHANNEL = 'C0WEB'

/** As in a real workspace, a thousand times as fast. */
async function open(scale = 1000) {
  const {slack} = await openSlack({rateScale: Infinity})
  const settings = {
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_RATE_SCALE: String(scale),
  }
  return {slack, settings}
}

test('a run writes its report, and nothing else stays anywhere', async () => {
  const {slack, settings} = await open()
  const out = temporaryFolder()
  const before = slack.channels().map(({id}) => slack.messages(id).length)
  const said = await tool('check-slack', ['--channel', CHANNEL, '--out', out], settings)
  expect(said).toMatchObject({code: 0, err: ''})
  expect(said.out).toMatch(/^\d+ hold, 0 differ, \d+ could not be tried: see /)
  const markdown = readFileSync(join(out, 'check-slack.md'), 'utf8')
  const report = JSON.parse(readFileSync(join(out, 'check-slack.json'), 'utf8')) as {
    counts: Record<string, number>
    left: string[]
    assumptions: {id: string; verdict: string; seen: string}[]
  }
  expect(report.assumptions.map(({id}) => id)).toEqual(Object.keys(ASSUMPTIONS))
  for (const {seen} of report.assumptions) expect(markdown).toContain(seen)
  expect(report.left).toEqual([])
  expect(slack.channels().map(({id}) => slack.messages(id).length)).toEqual(before)
  expect(`${said.out}${markdown}${JSON.stringify(report)}`).not.toContain(slack.botToken)
  const {calls} = slack.ledger
  // Some eighty, in one channel, and nobody is called.
  expect(calls.length).toBeLessThan(90)
  for (const {args} of calls) {
    expect([undefined, CHANNEL]).toContain(args['channel'] ?? args['channel_id'])
    expect(JSON.stringify(args)).not.toMatch(/<[@!]/)
  }
  expect(calls.some(({method}) => /postEphemeral|views|connections/.test(method))).toBe(false)
})

test('what differs is named with what to set, and ends it with 1', async () => {
  const {slack, settings} = await open()
  slack.faults.failNext('chat.startStream', {
    ...{times: 9, applied: false, error: 'channel_type_not_supported'},
  })
  const only = ['--only', 'stream-starts,stream-over']
  const said = await tool('check-slack', ['--channel', CHANNEL, ...only], settings)
  expect(said.code).toBe(1)
  expect(said.out).toContain('Slack refused it: channel_type_not_supported')
  expect(said.out).toContain('Set SLACK_WRITER=edit')
  expect(said.out).toContain('| what comes before it did not work | not tried |')
  expect(slack.messages(CHANNEL)).toEqual([])
})

test('what it cannot do without is said, and ends it with 2', async () => {
  const {slack, settings} = await open()
  const run = async (args: string[], other: Record<string, string> = {}) => {
    const {code, out, err} = await tool('check-slack', args, {...settings, ...other})
    expect({code, out}).toEqual({code: 2, out: ''})
    expect(err).not.toContain(slack.botToken)
    return err
  }
  const here = ['--channel', CHANNEL]
  const errors = await Promise.all([
    run([]),
    run(['--channel', 'C0NOWHERE']),
    run(['--channel', 'C0RANDOM']),
    run([...here, '--user', 'U0NOBODY']),
    run([...here, '--socket']),
    run(here, {SLACK_BOT_TOKEN: 'xoxb-wrong'}),
    run(here, {SLACK_API_URL: 'http://127.0.0.1:9/api/'}),
  ])
  const words = [
    ...['Name a channel by its id', 'There is no channel C0NOWHERE', 'The app is not in C0RANDOM'],
    ...['There is no U0NOBODY here', '--socket needs SLACK_APP_TOKEN'],
    ...['Slack refuses SLACK_BOT_TOKEN (invalid_auth)', 'on the network'],
  ]
  for (const [at, word] of words.entries()) expect(errors[at]).toContain(word)
  expect(slack.messages('C0RANDOM')).toEqual([])
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s lets it take away what it wrote',
  async (signal) => {
    const {slack, settings} = await open(10)
    const started = Promise.withResolvers<() => void>()
    const run = tool('check-slack', ['--channel', CHANNEL], settings, (child) =>
      started.resolve(() => void child.kill(signal)),
    )
    const kill = await started.promise
    await expect.poll(() => slack.messages(CHANNEL).length).toBeGreaterThan(2)
    kill()
    const {code, out, err} = await run
    expect(code).toBe(2)
    expect(err).toContain('Taking away what was written')
    expect(out).toContain('It was ended before its time')
    expect(slack.messages(CHANNEL)).toEqual([])
  },
)
