import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {readFlags} from '../../../local/slack/flags.ts'

const manifest = fileURLToPath(new URL('../../../manifest.yml', import.meta.url))

test('without a word everything is as usual', async () => {
  expect(await readFlags([])).toEqual({
    ...{port: 0, rateScale: 1, timeFactor: 1, latencyMs: 0, jitterMs: 0, withPage: true},
    ...{teams: [], apps: [], statusPerChannel: false},
  })
})

test('the app is declared on the command line', async () => {
  const flags = ['--scopes', 'chat:write, commands', '--agent', 'agent_view', '--no-home']
  const oauth = ['--redirect-url', 'http://127.0.0.1:1/a', '--token-rotation']
  const others = ['--team', 'T0BETA=Beta Inc', '--app', 'A0OTHER=Other']
  expect(await readFlags([...flags, ...oauth, ...others, '--no-page'])).toMatchObject({
    scopes: ['chat:write', 'commands'],
    agent: {view: 'agent_view', stopEvent: 'subscribed'},
    homeTab: false,
    redirectUrls: ['http://127.0.0.1:1/a'],
    tokenRotation: true,
    teams: [{id: 'T0BETA', name: 'Beta Inc'}],
    apps: [{id: 'A0OTHER', name: 'Other', redirectUrls: ['http://127.0.0.1:1/a']}],
    withPage: false,
  })
})

test('what text that grows may do at once is said on the command line', async () => {
  const flags = ['--live-burst', '50', '--retry-after', '10']
  expect(await readFlags(flags)).toMatchObject({liveBurst: 50, leastRetryAfterSeconds: 10})
})

test('a manifest declares it too, and the command line has the last word', async () => {
  const options = await readFlags(['--manifest', manifest, '--scopes', 'chat:write'])
  expect(options).toMatchObject({
    ...{name: 'Bosun', homeTab: true, scopes: ['chat:write']},
    commands: ['/bosun', '/review', '/captain'].map(
      (command) => expect.objectContaining({command}) as unknown,
    ),
    events: expect.arrayContaining(['app_mention', 'message.im']) as unknown,
  })
})

test.each([
  [['--agent', 'assistant'], '--agent must be agent_view or assistant_view'],
  [['--team', 'beta'], '--team must look like T0BETA=Beta'],
  [['--app', 'T0BETA=Other'], '--app must look like A0OTHER=Other'],
  [['--redirect-url', 'here'], '--redirect-url must be a URL'],
  [['--events-url', 'there'], '--events-url must be a URL'],
  [['--port', '70000'], '--port must be a number from 0 to 65535'],
  [['--rate-scale=-1'], '--rate-scale must be a number of at least 0'],
  [['--rate-scale', '0'], '--rate-scale must be above 0'],
  [['--live-burst', '0'], '--live-burst must be above 0'],
  [['--manifest', 'no-such.yml'], 'no-such.yml cannot be read'],
  [['--manifest', fileURLToPath(import.meta.url)], 'is neither YAML nor JSON'],
  [['--manifest', manifest.replace('manifest.yml', 'package.json')], 'The manifest is wrong'],
  [['--loud'], "Unknown option '--loud'. Usage: main.ts"],
])('%j is refused in a sentence', async (args, words) => {
  await expect(readFlags(args)).rejects.toThrow(words)
})
