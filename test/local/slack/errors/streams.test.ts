import {
  callForTs,
  hers,
  long,
  nobody,
  refuses,
  several,
  web,
  type Arguments,
  type Place,
} from './refuses.ts'

const recipient = {recipient_user_id: 'U0JANE', recipient_team_id: 'T0LOCAL'}
const begin = (args: object, state?: (at: Place) => Promise<unknown>) => async (at: Place) => {
  const thread_ts = await hers(at)
  await state?.(at)
  return {...web, thread_ts, ...recipient, ...args}
}
const started = async (at: Place, args: Arguments = {}): Promise<{channel: string; ts: string}> => {
  const place = await begin(args)(at)
  const ts = await callForTs(at.client, 'chat.startStream', place)
  return {...web, ts}
}
/** Goes on with a stream of its own. */
const onward =
  (args: object, state?: (at: Place, ts: string) => Promise<unknown>) => async (at: Place) => {
    const stream = await started(at)
    await state?.(at, stream.ts)
    return {...stream, ...args}
  }
const ended = async ({client}: Place, ts: string) => {
  await client.apiCall('chat.stopStream', {...web, ts, markdown_text: 'End'})
}
const full = (at: Place) => at.people.setRules({isMessageLimitReached: true})
const archived = (at: Place) => at.people.archive('C0WEB')
const kicked = (at: Place) => at.people.kickBot('C0WEB')
const readOnly = (at: Place) => at.people.restrictChannel('C0WEB', 'read_only')
const forAdmins = (at: Place) => at.people.restrictChannel('C0WEB', 'admins')

const markdown = {type: 'markdown', text: long(7_000)}
const chunks = {
  broken: {chunks: [{type: 'none'}]},
  badBlocks: {chunks: [{type: 'blocks', blocks: [{type: 'none'}]}]},
  wide: {chunks: [{type: 'blocks', blocks: [markdown, markdown]}]},
  many: {chunks: [{type: 'blocks', blocks: several(51, {type: 'divider'})}]},
  said: {chunks: [{type: 'markdown_text', text: 'Said'}]},
}
const said = {markdown_text: 'Said'}

refuses({
  'chat.startStream: cannot_provide_both_markdown_text_and_chunks': begin({
    ...said,
    ...chunks.said,
  }),
  'chat.startStream: channel_not_found': begin({channel: 'C0X'}),
  'chat.startStream: invalid_arguments': {...web, ...recipient},
  'chat.startStream: invalid_blocks': begin(chunks.badBlocks),
  'chat.startStream: invalid_chunks': begin(chunks.broken),
  'chat.startStream: is_archived': begin({}, archived),
  'chat.startStream: message_limit_exceeded': begin({}, full),
  'chat.startStream: missing_recipient_team_id': begin({recipient_team_id: ''}),
  'chat.startStream: missing_recipient_user_id': begin({recipient_user_id: ''}),
  'chat.startStream: msg_blocks_too_long': begin(chunks.wide),
  'chat.startStream: msg_blocks_too_many': begin(chunks.many),
  'chat.startStream: msg_too_long': begin({markdown_text: long(12_001)}),
  'chat.startStream: no_text': begin({markdown_text: ''}),
  'chat.startStream: not_in_channel': begin({}, kicked),
  'chat.startStream: restricted_action': begin({}, forAdmins),
  'chat.startStream: restricted_action_non_threadable_channel': begin({}, (at) =>
    at.people.restrictChannel('C0WEB', 'no_threads'),
  ),
  'chat.startStream: restricted_action_read_only_channel': begin({}, readOnly),
  'chat.startStream: restricted_action_thread_locked': async (at) => {
    const args = await begin({})(at)
    await at.people.lockThread('C0WEB', args.thread_ts)
    return args
  },
  'chat.startStream: team_not_found': begin({recipient_team_id: 'T0X'}),
  'chat.startStream: thread_not_found': begin({thread_ts: nobody}),
  'chat.startStream: user_not_found': begin({recipient_user_id: 'U0X'}),

  'chat.appendStream: cannot_provide_both_markdown_text_and_chunks': onward({
    ...said,
    ...chunks.said,
  }),
  'chat.appendStream: channel_not_found': onward({channel: 'C0X'}),
  'chat.appendStream: invalid_arguments': web,
  'chat.appendStream: invalid_blocks': onward(chunks.badBlocks),
  'chat.appendStream: invalid_chunks': onward(chunks.broken),
  'chat.appendStream: is_archived': onward(said, archived),
  'chat.appendStream: markdown_text_or_chunks_required': onward({}),
  'chat.appendStream: message_limit_exceeded': onward(said, full),
  'chat.appendStream: message_not_found': {...web, ts: nobody, ...said},
  'chat.appendStream: message_not_in_streaming_state': onward(said, ended),
  'chat.appendStream: message_not_owned_by_app': async (at) => ({
    ...web,
    ts: await hers(at),
    ...said,
  }),
  'chat.appendStream: msg_blocks_too_long': onward(chunks.wide),
  'chat.appendStream: msg_blocks_too_many': onward(chunks.many),
  'chat.appendStream: msg_too_long': onward({markdown_text: long(12_001)}),
  'chat.appendStream: no_text': onward({markdown_text: ''}),
  'chat.appendStream: not_in_channel': onward(said, kicked),
  'chat.appendStream: restricted_action': onward(said, forAdmins),
  'chat.appendStream: restricted_action_read_only_channel': onward(said, readOnly),
  'chat.appendStream: restricted_action_thread_locked': async (at) => {
    const args = await begin({})(at)
    const ts = await callForTs(at.client, 'chat.startStream', args)
    await at.people.lockThread('C0WEB', args.thread_ts)
    return {...web, ts, ...said}
  },
  'chat.appendStream: streaming_mode_mismatch': async (at) => ({
    ...(await started(at, said)),
    ...chunks.said,
  }),

  'chat.stopStream: channel_not_found': onward({channel: 'C0X'}),
  'chat.stopStream: invalid_arguments': onward({session_status: 'asleep'}),
  'chat.stopStream: invalid_blocks': onward({blocks: [{type: 'none'}]}),
  'chat.stopStream: invalid_blocks_format': onward({blocks: 'none'}),
  'chat.stopStream: invalid_chunks': onward(chunks.broken),
  'chat.stopStream: invalid_metadata_format': onward({metadata: 'none'}),
  'chat.stopStream: invalid_metadata_schema': onward({metadata: {event_type: 'x'}}),
  'chat.stopStream: is_archived': onward(said, archived),
  'chat.stopStream: message_limit_exceeded': onward(said, full),
  'chat.stopStream: message_not_found': {...web, ts: nobody},
  'chat.stopStream: message_not_in_streaming_state': onward({}, ended),
  'chat.stopStream: message_not_owned_by_app': async (at) => ({...web, ts: await hers(at)}),
  'chat.stopStream: metadata_too_large': onward({
    metadata: {event_type: 'x', event_payload: {note: long(8_000)}},
  }),
  'chat.stopStream: msg_blocks_too_long': onward({blocks: [markdown, markdown]}),
  'chat.stopStream: msg_blocks_too_many': onward({blocks: several(51, {type: 'divider'})}),
  'chat.stopStream: msg_too_long': onward({markdown_text: long(12_001)}),
  'chat.stopStream: no_text': onward({}),
  'chat.stopStream: not_in_channel': onward(said, kicked),
  'chat.stopStream: restricted_action': onward(said, forAdmins),
  'chat.stopStream: streaming_mode_mismatch': async (at) => ({
    ...(await started(at, said)),
    ...chunks.said,
  }),
})

const toJane = async (at: Place) => {
  const {ts: thread_ts} = await at.people.post({as: 'U0JANE', channel: 'D0JANE', text: 'Hi'})
  return {channel: 'D0JANE', thread_ts}
}

refuses({'chat.startStream: messages_tab_disabled': toJane}, {messagesTab: false})

refuses(
  {
    'chat.appendStream: stopped_by_user': async (at) => {
      const place = await toJane(at)
      const {channel, thread_ts: threadTs} = place
      const status = {channel_id: channel, thread_ts: threadTs, status: 'processing'}
      await at.client.apiCall('agents.sessions.setStatus', status)
      const ts = await callForTs(at.client, 'chat.startStream', place)
      await at.people.stop({as: 'U0JANE', channel, threadTs})
      return {channel, ts, ...said}
    },
  },
  {agent: {view: 'agent_view', stopEvent: 'subscribed'}},
)
