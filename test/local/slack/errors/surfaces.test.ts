import type {HomeView} from '@slack/types'
import {modal, newTrigger} from '../views-fixture.ts'
import {hers, long, nobody, refuses, web, type Place} from './refuses.ts'

const home = (text: string): HomeView => ({
  type: 'home',
  blocks: [{type: 'section', text: {type: 'plain_text', text}}],
})
const view = modal('Task')
const heavy = {...view, private_metadata: long(250 * 1024)}
const named = modal('Task', {external_id: 'task-1'})
const triggered = (args: object, state?: (at: Place) => Promise<unknown>) => async (at: Place) => {
  await state?.(at)
  return {trigger_id: await newTrigger(at.slack), view, ...args}
}
const opened = async ({slack, client}: Place, shown = view): Promise<string> => {
  const answer = await client.views.open({trigger_id: await newTrigger(slack), view: shown})
  return answer.view?.id ?? ''
}
const onOpened = (args: object) => async (at: Place) => ({view_id: await opened(at), view, ...args})
/** A button that stands in the topmost modal. */
const pressedIn = async (at: Place): Promise<string> => {
  await at.people.useView({as: 'U0JANE', actionId: 'more'})
  return at.slack.ledger.deliveries.at(-1)?.key ?? ''
}
const button = {
  type: 'button',
  action_id: 'more',
  text: {type: 'plain_text', text: 'More'},
} as const
const pressable = modal('Task', {blocks: [{type: 'actions', elements: [button]}]})
const spent = async ({slack, client}: Place) => {
  const trigger_id = await newTrigger(slack)
  await client.views.open({trigger_id, view})
  return {trigger_id, view}
}

const withCanvas = (args: object) => async (at: Place) => {
  const {canvas_id} = await at.client.canvases.create({title: 'Mine'})
  return {canvas_id, access_level: 'read', ...args}
}
const ruled =
  (canvases: 'tabbed' | 'none', args: Record<string, unknown> = {}) =>
  async (at: Place) => {
    await at.people.setRules({canvases})
    return args
  }

const step = (args: object) => async (at: Place) => {
  const {id} = await at.people.runStep({as: 'U0JANE', callbackId: 'start', inputs: {}})
  return {function_execution_id: id, ...args}
}
const doneStep = (args: object) => async (at: Place) => {
  const {function_execution_id} = await step({})(at)
  await at.client.functions.completeSuccess({function_execution_id, outputs: {link: 'x'}})
  return {function_execution_id, ...args}
}

refuses({
  'canvases.access.set: canvas_disabled_user_team': ruled('none', {canvas_id: 'F0X'}),
  'canvases.access.set: canvas_not_found': {canvas_id: 'F0X', access_level: 'read'},
  'canvases.access.set: channel_not_found': withCanvas({channel_ids: ['C0NOBODY']}),
  'canvases.access.set: invalid_arguments': withCanvas({
    access_level: 'owner',
    channel_ids: ['C0WEB'],
  }),
  'canvases.access.set: invalid_parameters': withCanvas({}),
  // Its address does not stand there.
  'canvases.access.set: restricted_action': withCanvas({channel_ids: ['C0WEB']}),
  'canvases.access.set: user_not_found': withCanvas({user_ids: ['U0NOBODY']}),
  'canvases.create: canvas_disabled_user_team': ruled('none'),
  'canvases.create: free_teams_cannot_create_non_tabbed_canvases': ruled('tabbed'),
  'canvases.create: invalid_arguments': {document_content: {type: 'html', markdown: 'x'}},
  'functions.completeError: execution_not_in_running_state': doneStep({error: 'x'}),
  'functions.completeError: function_execution_not_found': {
    function_execution_id: 'Fx0',
    error: 'x',
  },
  'functions.completeError: invalid_arguments': step({}),
  'functions.completeSuccess: execution_not_in_running_state': doneStep({outputs: {}}),
  'functions.completeSuccess: function_execution_not_found': {
    function_execution_id: 'Fx0',
    outputs: {},
  },
  'functions.completeSuccess: invalid_arguments': step({outputs: 'none'}),
  'views.open: duplicate_external_id': triggered({view: named}, (at) => opened(at, named)),
  'views.open: exchanged_trigger_id': spent,
  'views.open: invalid_arguments': {view},
  'views.open: invalid_trigger_id': {trigger_id: '1.2.3', view},
  'views.open: view_too_large': triggered({view: heavy}),
  'views.push: duplicate_external_id': triggered({view: named}, (at) => opened(at, named)),
  'views.push: exchanged_trigger_id': spent,
  'views.push: invalid_arguments': {view},
  'views.push: invalid_trigger_id': {trigger_id: '1.2.3', view},
  'views.push: not_found': triggered({}),
  'views.push: push_limit_reached': async (at) => {
    await opened(at, pressable)
    for (let depth = 1; depth < 3; depth += 1) {
      await at.client.views.push({trigger_id: await pressedIn(at), view: pressable})
    }
    return {trigger_id: await pressedIn(at), view}
  },
  'views.push: view_too_large': triggered({view: heavy}),
  'views.update: duplicate_external_id': async (at) => {
    await at.client.views.publish({user_id: 'U0KIM', view: {...home('x'), external_id: 'task-1'}})
    return {view_id: await opened(at), view: named}
  },
  'views.update: hash_conflict': onOpened({hash: '1.x'}),
  'views.update: invalid_arguments': {view},
  'views.update: not_found': {view_id: 'V0X', view},
  'views.update: view_too_large': onOpened({view: heavy}),
  'views.publish: duplicate_external_id': async (at) => {
    await opened(at, named)
    return {user_id: 'U0KIM', view: {...home('x'), external_id: 'task-1'}}
  },
  'views.publish: hash_conflict': {user_id: 'U0JANE', view: home('x'), hash: '1.x'},
  'views.publish: invalid_arguments': {user_id: 'U0X', view: home('x')},
  'views.publish: missing_profile_id': {user_id: 'U0JANE', view: {type: 'profile'}},
  'views.publish: not_implemented': {user_id: 'U0JANE', view: {type: 'profile', profile_id: 'P'}},
  'views.publish: view_too_large': {
    user_id: 'U0JANE',
    view: {...home('x'), private_metadata: long(250 * 1024)},
  },
})

refuses({'views.publish: not_enabled': {user_id: 'U0JANE', view: home('x')}}, {homeTab: false})

refuses(
  {
    'views.open: expired_trigger_id': triggered({}),
    'views.push: expired_trigger_id': triggered({}),
  },
  {timeFactor: -1},
)

const status = {channel_id: 'C0WEB', status: 'thinking'}
const inThread = (args: object) => async (at: Place) => ({
  ...status,
  thread_ts: await hers(at),
  ...args,
})

refuses({
  'assistant.threads.setStatus: channel_not_found': {...status, channel_id: 'C0X'},
  'assistant.threads.setStatus: invalid_arguments': inThread({loading_messages: 'none'}),
  'assistant.threads.setStatus: invalid_thread_ts': {...status, thread_ts: nobody},
  'assistant.threads.setStatus: reserved_username': inThread({username: 'slackbot'}),
  'assistant.threads.setTitle: channel_not_found': {channel_id: 'C0X', title: 'x'},
  'assistant.threads.setTitle: invalid_arguments': inThread({}),
  'assistant.threads.setTitle: invalid_thread_ts': {...status, thread_ts: nobody, title: 'x'},
  'assistant.threads.setSuggestedPrompts: not_agent_app': inThread({prompts: []}),
  'agents.sessions.setStatus: not_agent_app': inThread({status: 'active'}),
  'agents.sessions.rename: not_agent_app': inThread({title: 'x'}),
})

const prompts = [{title: 'Fix', message: 'Fix it'}]

refuses(
  {
    'assistant.threads.setSuggestedPrompts: channel_not_found': {channel_id: 'C0X', prompts},
    'assistant.threads.setSuggestedPrompts: invalid_arguments': {channel_id: 'C0WEB', prompts: []},
    'assistant.threads.setSuggestedPrompts: message_not_found': {channel_id: 'D0JANE', prompts},
    'agents.sessions.setStatus: channel_not_found': {channel_id: 'C0X', status: 'active'},
    'agents.sessions.setStatus: invalid_arguments': inThread({status: 'asleep'}),
    'agents.sessions.setStatus: invalid_thread_ts': {
      ...status,
      status: 'active',
      thread_ts: nobody,
    },
    'agents.sessions.rename: channel_not_found': {channel_id: 'C0X', title: 'x'},
    'agents.sessions.rename: invalid_arguments': inThread({title: long(201)}),
    'agents.sessions.rename: invalid_thread_ts': {
      channel_id: 'C0WEB',
      thread_ts: nobody,
      title: 'x',
    },
    'agents.sessions.rename: session_not_found': inThread({title: 'x'}),
  },
  {agent: {view: 'agent_view', stopEvent: 'subscribed'}},
)

refuses(
  {
    'assistant.threads.setSuggestedPrompts: invalid_thread_ts': {
      channel_id: 'C0WEB',
      thread_ts: nobody,
      prompts,
    },
    'assistant.threads.setSuggestedPrompts: missing_thread_ts': {channel_id: 'C0WEB', prompts},
  },
  {agent: {view: 'assistant_view', stopEvent: 'absent'}},
)

const note = {filename: 'a.txt', length: 1}
const uploads =
  (kinds: 'images' | 'none') =>
  async ({people}: Place) => {
    await people.setRules({uploads: kinds})
    return note
  }
/** An upload that only wants its completion. */
const uploaded =
  (args: object) =>
  async ({client}: Place) => {
    const {file_id, upload_url = ''} = await client.files.getUploadURLExternal(note)
    await fetch(upload_url, {method: 'POST', body: 'x'})
    return {files: [{id: file_id}], ...args}
  }
const shared = async (at: Place) => {
  const post = {as: 'U0JANE', ...web, text: 'Look', files: [{name: 'a.txt', content: 'x'}]}
  const {fileIds = []} = await at.people.post(post)
  return {file: fileIds[0]}
}

refuses({
  'files.getUploadURLExternal: alt_txt_too_large': {...note, alt_txt: long(1_001)},
  'files.getUploadURLExternal: file_upload_size_restricted': {...note, length: 2e9},
  'files.getUploadURLExternal: file_uploads_disabled': uploads('none'),
  'files.getUploadURLExternal: file_uploads_except_images_disabled': uploads('images'),
  'files.getUploadURLExternal: invalid_arguments': {length: 1},
  'files.getUploadURLExternal: missing_argument': {...note, length: 0},
  'files.getUploadURLExternal: snippet_too_large': {
    ...note,
    length: 1_000_001,
    snippet_type: 'text',
  },
  'files.getUploadURLExternal: unknown_snippet_type': {...note, snippet_type: 'x'},
  'files.getUploadURLExternal: unknown_subtype': {...note, subtype: 'x'},
  'files.completeUploadExternal: channel_not_found': uploaded({channel_id: 'C0X'}),
  'files.completeUploadExternal: channels_limit_exceeded': uploaded({
    channels: Array(101).fill('C0WEB').join(),
  }),
  'files.completeUploadExternal: file_not_found': {files: [{id: 'F0X'}]},
  'files.completeUploadExternal: invalid_arguments': {files: '{}'},
  'files.completeUploadExternal: invalid_blocks': uploaded({
    channel_id: 'C0WEB',
    blocks: [{type: 'none'}],
  }),
  'files.completeUploadExternal: invalid_channel': uploaded({channels: 'C0X'}),
  'files.completeUploadExternal: invalid_thread_ts': uploaded({
    channel_id: 'C0WEB',
    thread_ts: '1',
  }),
  'files.completeUploadExternal: not_in_channel': uploaded({channel_id: 'C0RANDOM'}),
  'files.completeUploadExternal: posting_to_channel_denied': async (at) => {
    await at.people.archive('C0WEB')
    return uploaded({channel_id: 'C0WEB'})(at)
  },
  'files.completeUploadExternal: thread_not_found': uploaded({
    channel_id: 'C0WEB',
    thread_ts: nobody,
  }),
  'files.delete: cant_delete_file': shared,
  'files.delete: file_deleted': async (at) => {
    const args = await uploaded({})(at)
    const {files} = await at.client.files.completeUploadExternal({
      files: [{id: args.files[0]?.id ?? ''}],
    })
    const file = files?.[0]?.id ?? ''
    await at.client.files.delete({file})
    return {file}
  },
  'files.delete: file_not_found': {file: 'F0X'},
  'files.info: file_not_found': {file: 'F0X'},
  'files.info: not_visible': async (at) => {
    const draft = {name: 'inner', isPrivate: true, memberIds: ['U0JANE']}
    const {id: channel} = await at.people.createChannel(draft)
    const files = [{name: 'a.txt', content: 'x'}]
    const {fileIds = []} = await at.people.post({as: 'U0JANE', channel, text: 'Look', files})
    return {file: fileIds[0]}
  },
  'files.list: invalid_limit': {count: 0},
  'files.list: unknown_type': {types: 'x'},
  'files.list: user_not_found': {user: 'U0X'},
})

const declared = {
  ...{callbackId: 'start', title: 'Start', description: 'Starts'},
  inputs: [],
  outputs: [{name: 'link', type: 'string', title: 'Link', isRequired: true}],
}
const steps = {steps: [declared]}
refuses({'functions.completeSuccess: parameter_validation_failed': step({outputs: {}})}, steps)
refuses(
  {
    'functions.completeSuccess: parameter_validation_failed': step({
      outputs: {link: 'x', more: 'y'},
    }),
  },
  steps,
)
