import {long, nobody, refuses, several, type Arguments, type Place} from './refuses.ts'

const agent = {view: 'agent_view', stopEvent: 'subscribed'} as const
/** A workspace that has code channels, and one of the app's own there. */
const inRoom =
  (args: Arguments, then?: (at: Place, channel: string) => Promise<unknown>) =>
  async (at: Place) => {
    await at.people.setRules({codeChannels: true})
    const {channel_id = ''} = await at.client.agents.conversations.create({name: 'Fix it'})
    await then?.(at, channel_id)
    return {channel_id, ...args}
  }
const ruled = (args: Arguments) => async (at: Place) => {
  await at.people.setRules({codeChannels: true})
  return args
}
const archived = (args: Arguments) =>
  inRoom(args, ({client}, channel_id) => client.agents.conversations.archive({channel_id}))
const item = {key: 'branch', label: 'main'}
const html = {view_key: 'a.html', content: '<p>x</p>'}
const filled = async ({client}: Place, channel_id: string) => {
  for (const view_key of ['a', 'b', 'c', 'd', 'e']) {
    await client.agents.conversations.setView({channel_id, view_key, content: 'x'})
  }
}

refuses(
  {
    'agents.conversations.archive: already_archived': archived({}),
    'agents.conversations.archive: channel_not_found': ruled({channel_id: 'C0X'}),
    'agents.conversations.archive: feature_disabled': {channel_id: 'C0WEB'},
    'agents.conversations.archive: invalid_arguments': inRoom({channel_id: ''}),
    'agents.conversations.archive: not_agent_channel': ruled({channel_id: 'C0WEB'}),
    'agents.conversations.listViews: already_archived': archived({}),
    'agents.conversations.listViews: channel_not_found': ruled({channel_id: 'C0X'}),
    'agents.conversations.listViews: feature_disabled': {channel_id: 'C0WEB'},
    'agents.conversations.listViews: invalid_arguments': inRoom({channel_id: ''}),
    'agents.conversations.listViews: not_agent_channel': ruled({channel_id: 'C0WEB'}),
    'agents.conversations.removeView: already_archived': archived({view_key: 'x'}),
    'agents.conversations.removeView: channel_not_found': ruled({channel_id: 'C0X', view_key: 'x'}),
    'agents.conversations.removeView: feature_disabled': {channel_id: 'C0WEB', view_key: 'x'},
    'agents.conversations.removeView: invalid_arguments': inRoom({}),
    'agents.conversations.removeView: not_agent_channel': ruled({
      channel_id: 'C0WEB',
      view_key: 'x',
    }),
    'agents.conversations.setCommands: already_archived': archived({commands: []}),
    'agents.conversations.setCommands: channel_not_found': ruled({channel_id: 'C0X', commands: []}),
    'agents.conversations.setCommands: feature_disabled': {channel_id: 'C0WEB', commands: []},
    'agents.conversations.setCommands: invalid_arguments': inRoom({commands: [{name: 'a b'}]}),
    'agents.conversations.setCommands: too_many_commands': inRoom({
      commands: several(11, {name: 'x'}),
    }),
    'agents.conversations.setCommands: duplicate_command': inRoom({
      commands: several(2, {name: 'x'}),
    }),
    'agents.conversations.setCommands: colliding_with_builtin': inRoom({
      commands: [{name: 'archive'}],
    }),
    'agents.conversations.setCommands: not_agent_channel': ruled({
      channel_id: 'C0WEB',
      commands: [],
    }),
    'agents.conversations.setProperties: already_archived': archived({
      code_channel: {context_bar_items: [item]},
    }),
    'agents.conversations.setProperties: channel_not_found': ruled({
      channel_id: 'C0X',
      code_channel: {context_bar_items: [item]},
    }),
    'agents.conversations.setProperties: feature_disabled': {
      channel_id: 'C0WEB',
      code_channel: {context_bar_items: [item]},
    },
    'agents.conversations.setProperties: invalid_arguments': inRoom({
      code_channel: {context_bar_items: several(6, item)},
    }),
    'agents.conversations.setProperties: not_agent_channel': ruled({
      channel_id: 'C0WEB',
      code_channel: {context_bar_items: [item]},
    }),
    'agents.conversations.setView: already_archived': archived({...html}),
    'agents.conversations.setView: channel_not_found': ruled({channel_id: 'C0X', ...html}),
    'agents.conversations.setView: feature_disabled': {channel_id: 'C0WEB', ...html},
    'agents.conversations.setView: invalid_arguments': inRoom({type: 'film'}),
    'agents.conversations.setView: not_agent_channel': ruled({channel_id: 'C0WEB', ...html}),
    'agents.conversations.archive: no_origin_link': inRoom({summary_message_ts: nobody}),
    'agents.conversations.removeView: view_not_found': inRoom({view_key: 'x'}),
    'agents.conversations.setView: canvas_not_found': inRoom({
      type: 'canvas',
      view_key: 'x',
      canvas_id: 'F0X',
    }),
    'agents.conversations.setView: content_too_large': inRoom({
      view_key: 'x',
      content: long(1_000_001),
    }),
    'agents.conversations.setView: invalid_blocks': inRoom({
      type: 'block_kit',
      view_key: 'x',
      blocks: [{type: 'none'}],
    }),
    'agents.conversations.setView: max_views_reached': inRoom(html, filled),
    'agents.conversations.create: channel_not_found': ruled({
      name: 'x',
      origin_channel_id: 'C0X',
      origin_message_ts: nobody,
    }),
    'agents.conversations.create: feature_disabled': {name: 'x'},
    'agents.conversations.create: invalid_arguments': ruled({}),
    'agents.conversations.create: message_not_found': ruled({
      name: 'x',
      origin_channel_id: 'C0WEB',
      origin_message_ts: nobody,
    }),
    'agents.conversations.create: restricted_action': async (at) => {
      await at.people.shareChannel('C0WEB', 'T0OTHER')
      return ruled({name: 'x', origin_channel_id: 'C0WEB', origin_message_ts: nobody})(at)
    },
    'agents.sessions.rename: is_archived': archived({title: 'x'}),
    'agents.sessions.setStatus: is_archived': archived({status: 'active'}),
  },
  {agent},
)

refuses({
  'agents.conversations.archive: not_agent_app': ruled({channel_id: 'C0WEB'}),
  'agents.conversations.listViews: not_agent_app': ruled({channel_id: 'C0WEB'}),
  'agents.conversations.removeView: not_agent_app': ruled({channel_id: 'C0WEB'}),
  'agents.conversations.setCommands: not_agent_app': ruled({channel_id: 'C0WEB'}),
  'agents.conversations.setProperties: not_agent_app': ruled({channel_id: 'C0WEB'}),
  'agents.conversations.setView: not_agent_app': ruled({channel_id: 'C0WEB'}),
  'agents.conversations.create: not_agent_app': ruled({name: 'x'}),
})

refuses(
  {'agents.conversations.setCommands: no_actions_url': inRoom({commands: [{name: 'x'}]})},
  {
    ...{agent, codeCommands: 'absent'},
    delivery: {mode: 'http', eventsUrl: 'http://127.0.0.1:9/slack/events'},
  },
)
