import {describe, expect, test} from 'vitest'
import type {AgentOptions} from '../../../local/slack/agents/agent-threads.ts'
import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import {eventually} from './eventually.ts'
import {
  clientOf,
  openSlack,
  refusalDataOf,
  refusalOf,
  stopDate,
  testOverBoth,
} from './slack-fixture.ts'

const agent: AgentOptions = {view: 'agent_view', stopEvent: 'subscribed'}
const assistant: AgentOptions = {view: 'assistant_view', stopEvent: 'subscribed'}

/** Jane asked in #web. */
async function openThread(options: LocalSlackOptions = {}) {
  const {slack, client} = await openSlack({rateScale: Infinity, ...options})
  const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Fix it'})
  const thread = {channel_id: 'C0WEB', thread_ts: ts}
  const shown = () => slack.agentThread('C0WEB', ts)
  return {slack, client, ts, thread, shown}
}

describe('assistant.threads.setStatus', () => {
  test('shows in any thread until the app posts there', async () => {
    const {client, ts, thread, shown} = await openThread()
    const status = {...thread, status: 'is thinking…', loading_messages: ['Reading', 'Counting']}
    await client.assistant.threads.setStatus(status)
    expect(shown()).toEqual({status: 'is thinking…', loadingMessages: ['Reading', 'Counting']})
    await client.chat.postMessage({channel: 'C0WEB', text: 'Elsewhere'})
    expect(shown().status).toBe('is thinking…')
    await client.chat.postMessage({channel: 'C0WEB', text: 'Here', thread_ts: ts})
    expect(shown()).toEqual({status: '', loadingMessages: []})
    await client.assistant.threads.setStatus(status)
    await client.assistant.threads.setStatus({...thread, status: ''})
    expect(shown().status).toBe('')
  })

  test('ends by itself', async () => {
    const {slack, client, thread, shown} = await openThread({timeFactor: 0.003})
    const seen: string[] = []
    slack.ledger.subscribe(() => seen.push(shown().status))
    await client.assistant.threads.setStatus({...thread, status: 'is thinking…'})
    expect(seen).toEqual(['is thinking…'])
    await eventually(
      () => shown().status,
      (status) => status === '',
    )
  })

  test('refuses what Slack refuses', async () => {
    const {client, thread} = await openThread()
    const set = (args: Record<string, unknown>) =>
      refusalOf(client.apiCall('assistant.threads.setStatus', {...thread, status: 'x', ...args}))
    expect(await set({channel_id: 'C0NOWHERE'})).toBe('channel_not_found')
    expect(await set({channel_id: 'C0RANDOM'})).toBe('channel_not_found')
    expect(await set({thread_ts: '1700000000.000001'})).toBe('invalid_thread_ts')
    expect(await set({username: 'slackbot'})).toBe('reserved_username')
    expect(await set({status: undefined})).toBe('invalid_arguments')
    expect(await set({loading_messages: Array.from({length: 11}, () => 'x')})).toBe(
      'invalid_arguments',
    )
    expect(await set({loading_messages: [1]})).toBe('invalid_arguments')
  })

  test.for([
    ['ten a second in the workspace', 50, {}],
    ['one a second in each channel, where that is asked for', 5, {statusPerChannel: true}],
  ] as const)('%s are taken', async ([, burst, options]) => {
    stopDate()
    const {client, thread} = await openThread({rateScale: 1, ...options})
    const set = () => client.assistant.threads.setStatus({...thread, status: 'x'})
    await Promise.all(Array.from({length: burst}, set))
    await expect(set()).rejects.toMatchObject({retryAfter: 1})
  })
})

describe('titles and prompts', () => {
  const prompts = [{title: 'Tests', message: 'Run the tests'}]

  test('belong to the thread in the older container', async () => {
    const {client, thread, shown} = await openThread({agent: assistant})
    await client.assistant.threads.setTitle({...thread, title: 'The build'})
    await client.assistant.threads.setSuggestedPrompts({...thread, title: 'Try', prompts})
    expect(shown()).toMatchObject({title: 'The build', prompts: {title: 'Try', prompts}})
    const set = (args: Record<string, unknown>) =>
      refusalOf(
        client.apiCall('assistant.threads.setSuggestedPrompts', {...thread, prompts, ...args}),
      )
    expect(await set({thread_ts: undefined})).toBe('missing_thread_ts')
    expect(await set({thread_ts: '1700000000.000001'})).toBe('invalid_thread_ts')
    expect(await set({prompts: Array.from({length: 5}, () => prompts[0])})).toBe(
      'invalid_arguments',
    )
    expect(await set({prompts: [{title: 'Only'}]})).toBe('invalid_arguments')
    const title = client.assistant.threads.setTitle({...thread, thread_ts: '1', title: 'x'})
    expect(await refusalOf(title)).toBe('invalid_thread_ts')
  })

  test('an agent sets prompts for the latest message; with a thread nothing happens', async () => {
    const {slack, client, thread, shown} = await openThread({agent})
    await client.assistant.threads.setSuggestedPrompts({...thread, prompts})
    expect(shown()).not.toHaveProperty('prompts')
    await client.assistant.threads.setSuggestedPrompts({channel_id: 'C0WEB', prompts})
    expect(shown()).toMatchObject({prompts: {prompts}})
    const empty = client.assistant.threads.setSuggestedPrompts({channel_id: 'D0KIM', prompts})
    expect(await refusalOf(empty)).toBe('message_not_found')
    expect(slack.messages('D0KIM')).toEqual([])
  })

  test('need an agent and its scope', async () => {
    const {client, thread} = await openThread()
    const plain = client.assistant.threads.setSuggestedPrompts({...thread, prompts})
    expect(await refusalOf(plain)).toBe('not_agent_app')
    const narrow = await openThread({agent, scopes: ['chat:write']})
    const title = clientOf(narrow.slack).assistant.threads.setTitle({...narrow.thread, title: 'x'})
    expect(await refusalDataOf(title)).toMatchObject({
      error: 'missing_scope',
      needed: 'assistant:write',
      provided: 'chat:write',
    })
  })
})

describe('agent sessions', () => {
  test('begin with their first status and keep the title of then', async () => {
    const {client, thread, shown} = await openThread({agent})
    const begun = await client.agents.sessions.setStatus({
      ...thread,
      status: 'processing',
      title: 'Fix the build',
      initiator_user_id: 'U0JANE',
    })
    expect(begun).toMatchObject({ok: true, status: 'processing', title: 'Fix the build'})
    expect(begun).not.toHaveProperty('warning')
    await client.agents.sessions.setStatus({...thread, status: 'suspended', title: 'Ignored'})
    await client.agents.sessions.rename({...thread, title: 'Renamed'})
    expect(shown().session).toEqual({
      status: 'suspended',
      title: 'Renamed',
      initiatorUserId: 'U0JANE',
    })
  })

  test('refuse what Slack refuses', async () => {
    const {client, thread} = await openThread({agent})
    const set = (args: Record<string, unknown>) =>
      refusalOf(client.apiCall('agents.sessions.setStatus', {...thread, status: 'active', ...args}))
    expect(await set({status: 'asleep'})).toBe('invalid_arguments')
    expect(await set({title: 'x'.repeat(201)})).toBe('invalid_arguments')
    expect(await set({initiator_user_id: 'U0NOBODY'})).toBe('invalid_arguments')
    expect(await set({channel_id: 'C0NOWHERE'})).toBe('channel_not_found')
    const rename = (title: string) => refusalOf(client.agents.sessions.rename({...thread, title}))
    expect(await rename('x')).toBe('session_not_found')
    expect(await rename('x'.repeat(201))).toBe('invalid_arguments')
    const plain = await openThread()
    const calls = [
      plain.client.agents.sessions.setStatus({...plain.thread, status: 'active'}),
      plain.client.agents.sessions.rename({...plain.thread, title: 'x'}),
    ]
    expect(await Promise.all(calls.map(refusalOf))).toEqual(['not_agent_app', 'not_agent_app'])
  })

  test('fall back from processing by themselves', async () => {
    const {slack, client, thread, shown} = await openThread({agent, timeFactor: 0.0001})
    const seen: unknown[] = []
    slack.ledger.subscribe(() => seen.push(shown().session?.status))
    await client.agents.sessions.setStatus({...thread, status: 'processing'})
    expect(seen).toEqual(['processing'])
    await eventually(
      () => shown().session?.status,
      (status) => status === 'active',
    )
  })

  test('without the stop event nobody gets a stop button, and Slack warns', async () => {
    const {slack, client, ts, thread} = await openThread({agent: {...agent, stopEvent: 'absent'}})
    const answer = await client.agents.sessions.setStatus({...thread, status: 'processing'})
    expect(answer.warning).toBe('missing_agent_session_stopped_event_subscription')
    const stop = slack.people.stop({as: 'U0JANE', channel: 'C0WEB', threadTs: ts})
    await expect(stop).rejects.toThrow('no stop button')
  })
})

testOverBoth(
  'a person stops the agent: its streams end, and the app moves the session on',
  async (connect) => {
    const {slack, client, ts, thread, shown} = await openThread({agent})
    const {heard} = await connect(slack)
    const stop = {as: 'U0JANE', channel: 'C0WEB', threadTs: ts}
    await expect(slack.people.stop(stop)).rejects.toThrow('has no agent session')
    await client.agents.sessions.setStatus({...thread, status: 'processing'})
    const place = {channel: 'C0WEB', thread_ts: ts}
    const recipient = {recipient_user_id: 'U0JANE', recipient_team_id: 'T0LOCAL'}
    const started = await client.chat.startStream({...place, ...recipient, markdown_text: 'Half'})
    const stream = {channel: 'C0WEB', ts: started.ts ?? ''}
    await slack.people.stop(stop)
    const event = await eventually(
      () => heard.find((one) => one.event.type === 'agent_session_stopped')?.event,
      (found) => found !== undefined,
    )
    expect(event).toMatchObject({...place, user: 'U0JANE', streaming_message_ts: [stream.ts]})
    expect(shown().session?.status).toBe('processing')
    const append = client.chat.appendStream({...stream, markdown_text: 'x'})
    expect(await refusalOf(append)).toBe('stopped_by_user')
    await client.chat.stopStream({...stream, markdown_text: '\nStopped by Jane'})
    expect(slack.messages('C0WEB').at(-1)).toMatchObject({
      text: 'Half\nStopped by Jane',
      streaming: 'completed',
    })
    expect(shown().session?.status).toBe('active')
    await expect(slack.people.stop(stop)).rejects.toThrow('its session is active')
  },
)

testOverBoth(
  'people rename sessions and open assistant threads, and the app hears of it',
  async (connect) => {
    const {slack, client, ts, thread} = await openThread({agent: assistant})
    const {heard} = await connect(slack)
    await client.agents.sessions.setStatus({...thread, status: 'active', title: 'Old'})
    const naming = {as: 'U0JANE', channel: 'C0WEB', threadTs: ts, title: 'New'}
    await slack.people.renameSession(naming)
    const root = await slack.people.openAssistantThread({as: 'U0JANE', from: 'C0WEB'})
    await slack.people.changeAssistantContext({as: 'U0JANE', threadTs: root.ts, to: 'C0GENERAL'})
    const events = await eventually(
      () => heard.map(({event}) => event).filter(({type}) => type !== 'message'),
      ({length}) => length === 3,
    )
    const opened = {user_id: 'U0JANE', channel_id: 'D0JANE', thread_ts: root.ts}
    const ordered = events.toSorted((a, b) => Number(a['event_ts']) - Number(b['event_ts']))
    expect(ordered).toMatchObject([
      {type: 'agent_session_title_changed', thread_ts: ts, title: 'New', previous_title: 'Old'},
      {
        type: 'assistant_thread_started',
        assistant_thread: {...opened, context: {channel_id: 'C0WEB', team_id: 'T0LOCAL'}},
      },
      {
        type: 'assistant_thread_context_changed',
        assistant_thread: {...opened, context: {channel_id: 'C0GENERAL'}},
      },
    ])
    const plain = await openThread({agent})
    await expect(plain.slack.people.openAssistantThread({as: 'U0JANE'})).rejects.toThrow(
      'assistant_view',
    )
  },
)
