import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {readManifest} from '../../../local/slack/apps/manifest.ts'
import {eventually} from './eventually.ts'
import {connectApp, openSlack, refusalOf} from './slack-fixture.ts'

const bosun: unknown = parse(
  readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8'),
)
const display_information = {name: 'Relay'}

test('a manifest says everything that an app declares', () => {
  const manifest = {
    _metadata: {major_version: 2, minor_version: 1},
    display_information,
    features: {
      app_home: {home_tab_enabled: true, messages_tab_enabled: true},
      bot_user: {display_name: 'relay', always_online: true},
      slash_commands: [
        {command: '/relay', url: 'https://a.test', description: 'Starts', usage_hint: '[task]'},
        {command: '/stop', description: 'Stops', should_escape: true},
      ],
      shortcuts: [
        {name: 'Send', type: 'message', callback_id: 'send', description: 'Sends it'},
        {name: 'New', type: 'global', callback_id: 'new', description: 'Begins'},
      ],
      unfurl_domains: ['app.example.com'],
      code_channels: {enabled: true, slash_command_url: 'https://a.test/commands'},
      agent_view: {agent_description: 'Works', suggested_prompts: [{title: 'a', message: 'b'}]},
    },
    oauth_config: {
      redirect_urls: ['https://a.test/callback'],
      scopes: {bot: ['chat:write', 'commands'], bot_optional: ['users:read']},
    },
    functions: {
      start: {
        ...{title: 'Start', description: 'Starts'},
        input_parameters: {
          properties: {task: {type: 'string', title: 'Task'}, note: {type: 'string'}},
          required: ['task'],
        },
        output_parameters: {properties: {}},
      },
    },
    settings: {
      org_deploy_enabled: true,
      event_subscriptions: {bot_events: ['app_mention', 'agent_session_stopped']},
      interactivity: {is_enabled: true},
      token_rotation_enabled: true,
    },
  }
  expect(readManifest(manifest)).toEqual({
    name: 'Relay',
    scopes: ['chat:write', 'commands', 'users:read', 'assistant:write'],
    events: ['app_mention', 'agent_session_stopped'],
    homeTab: true,
    messagesTab: true,
    agent: {view: 'agent_view', stopEvent: 'subscribed'},
    commands: [
      {command: '/relay', description: 'Starts', usageHint: '[task]'},
      {command: '/stop', description: 'Stops'},
    ],
    shortcuts: [
      {type: 'message', callbackId: 'send', name: 'Send', description: 'Sends it'},
      {type: 'global', callbackId: 'new', name: 'New', description: 'Begins'},
    ],
    steps: [
      {
        ...{callbackId: 'start', title: 'Start', description: 'Starts', outputs: []},
        inputs: [
          {name: 'task', type: 'string', title: 'Task', isRequired: true},
          {name: 'note', type: 'string', title: 'note', isRequired: false},
        ],
      },
    ],
    codeCommands: 'declared',
    unfurlDomains: ['app.example.com'],
    redirectUrls: ['https://a.test/callback'],
    tokenRotation: true,
  })
})

test('what a manifest leaves out is not declared', () => {
  expect(readManifest({display_information})).toEqual({
    ...{name: 'Relay', scopes: [], events: [], homeTab: false, commands: [], shortcuts: []},
    ...{steps: [], codeCommands: 'absent'},
    ...{unfurlDomains: [], redirectUrls: [], tokenRotation: false, messagesTab: true},
  })
  const app_home = {messages_tab_enabled: false}
  expect(readManifest({display_information, features: {app_home}})).toMatchObject({
    messagesTab: false,
  })
  const assistant_view = {assistant_description: 'Works'}
  expect(readManifest({display_information, features: {assistant_view}})).toMatchObject({
    agent: {view: 'assistant_view', stopEvent: 'absent'},
    scopes: ['assistant:write'],
  })
})

test.each([
  [undefined, 'the whole'],
  [{}, 'display_information'],
  [{display_information: {name: 'x'.repeat(36)}}, 'display_information.name'],
  [{display_information, feature: {}}, 'feature'],
  [{display_information, features: {shortcuts: []}}, 'features.shortcuts'],
  [
    {display_information, features: {slash_commands: [{command: 'relay', description: 'x'}]}},
    'features.slash_commands.0.command',
  ],
  [{display_information, features: {agent: {}}}, 'agent'],
  [{display_information, oauth_config: {scopes: {bots: []}}}, 'bots'],
  [
    {
      display_information,
      functions: {
        start: {
          ...{title: 'Start', description: 'Starts', input_parameters: {properties: {}}},
          output_parameters: {properties: {}},
        },
      },
    },
    'org_deploy_enabled',
  ],
  [{display_information, oauth_config: {redirect_urls: ['nowhere']}}, 'redirect_urls.0'],
  [
    {display_information, settings: {event_subscriptions: {bot_events: ['a', 'a']}}},
    'every event stands there once',
  ],
  [{display_information, settings: {token_rotation_enabled: 'yes'}}, 'token_rotation_enabled'],
])('the manifest %j is refused with words', (manifest, word) => {
  expect(() => readManifest(manifest)).toThrow(word)
  expect(() => readManifest(manifest)).toThrow(/^The manifest is wrong: .*\.$/)
})

test('with its own manifest the app gets exactly what it declares', async () => {
  const declared = readManifest(bosun)
  const {slack, client} = await openSlack(declared)
  const {response_metadata} = await client.auth.test()
  expect(response_metadata?.scopes).toEqual(declared.scopes)
  expect(await refusalOf(client.team.info())).toBe('missing_scope')
  const home = {type: 'home' as const, blocks: [{type: 'divider' as const}]}
  await client.views.publish({user_id: 'U0JANE', view: home})
  const {heard} = await connectApp(slack)
  const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: '@Bosun hi'})
  await slack.people.react({as: 'U0JANE', channel: 'C0WEB', ts, name: 'eyes'})
  await slack.people.createChannel({name: 'new', memberIds: ['U0JANE']})
  await slack.people.post({as: 'U0JANE', channel: 'D0JANE', text: 'The last'})
  await eventually(
    () => heard.map(({event}) => event['text']),
    (texts) => texts.includes('The last'),
  )
  expect(heard.map(({event}) => event.type)).toEqual([
    ...['message', 'app_mention', 'reaction_added', 'message'],
  ])
})

test.each(['C++ (dev)', 'Re.lay'])('an app may be called %s', async (name) => {
  const {slack} = await openSlack({name})
  const say = (text: string) => slack.people.post({as: 'U0JANE', channel: 'C0WEB', text})
  expect((await say(`@${name} hi, @${name}`)).text).toBe('<@U0BOSUN> hi, <@U0BOSUN>')
  expect((await say(`@${name}s @Rexlay`)).text).toBe(`@${name}s @Rexlay`)
})

test('an app of another name is that app', async () => {
  const {slack, client} = await openSlack(readManifest({display_information}))
  expect(await client.auth.test()).toMatchObject({user: 'relay', user_id: 'U0BOSUN'})
  expect(slack.apps.all()[0]?.name).toBe('Relay')
  const {text} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: '@Relay hi'})
  expect(text).toBe('<@U0BOSUN> hi')
})
