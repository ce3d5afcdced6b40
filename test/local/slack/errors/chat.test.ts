import {hers, long, nobody, own, refuses, reply, several, web, type Place} from './refuses.ts'

const hi = {...web, text: 'Hi'}
const notes = several(101, {text: 'x'})
const crowded = {...web, blocks: several(2, {type: 'markdown', text: long(7_000)})}
const wordy = {event_type: 'x', event_payload: {note: long(8_000)}}
const archived = (at: Place) => at.people.archive('C0WEB')
const restricted = (posting: Parameters<Place['people']['restrictChannel']>[1]) => (at: Place) =>
  at.people.restrictChannel('C0WEB', posting)
const full = (at: Place) => at.people.setRules({isMessageLimitReached: true})

/** First the state, then the call. */
const after = (state: (at: Place) => Promise<unknown>, args: object) => async (at: Place) => {
  await state(at)
  return {...args}
}
const edit = (args: object, state?: (at: Place) => Promise<unknown>) => async (at: Place) => {
  const ts = await own(at)
  await state?.(at)
  return {...web, ts, ...args}
}
const locked = async (at: Place) => {
  const threadTs = await hers(at)
  await at.people.lockThread('C0WEB', threadTs)
  return {...hi, thread_ts: threadTs}
}

refuses({
  'chat.postMessage: cannot_reply_to_message': async (at) => ({...hi, thread_ts: await reply(at)}),
  'chat.postMessage: channel_not_found': {...hi, channel: 'C0X'},
  'chat.postMessage: invalid_arguments': {text: 'Hi'},
  'chat.postMessage: invalid_attachments': {...hi, attachments: 'none'},
  'chat.postMessage: invalid_blocks': {...web, blocks: [{type: 'none'}]},
  'chat.postMessage: invalid_blocks_format': {...web, blocks: 'none'},
  'chat.postMessage: invalid_metadata_format': {...hi, metadata: 'none'},
  'chat.postMessage: invalid_metadata_schema': {...hi, metadata: {event_type: 'x'}},
  'chat.postMessage: invalid_thread_ts': {...hi, thread_ts: '17'},
  'chat.postMessage: is_archived': after(archived, hi),
  'chat.postMessage: markdown_text_conflict': {...hi, markdown_text: 'Hi'},
  'chat.postMessage: message_limit_exceeded': after(full, hi),
  'chat.postMessage: metadata_too_large': {...hi, metadata: wordy},
  'chat.postMessage: msg_blocks_too_long': crowded,
  'chat.postMessage: msg_too_long': {...web, markdown_text: long(12_001)},
  'chat.postMessage: no_text': web,
  'chat.postMessage: not_in_channel': {...hi, channel: 'C0RANDOM'},
  'chat.postMessage: restricted_action': after(restricted('admins'), hi),
  'chat.postMessage: restricted_action_non_threadable_channel': async (at) => {
    await restricted('no_threads')(at)
    return {...hi, thread_ts: await hers(at)}
  },
  'chat.postMessage: restricted_action_read_only_channel': after(restricted('read_only'), hi),
  'chat.postMessage: restricted_action_thread_locked': locked,
  'chat.postMessage: restricted_action_thread_only_channel': after(restricted('threads_only'), hi),
  'chat.postMessage: thread_not_found': {...hi, thread_ts: nobody},
  'chat.postMessage: too_many_attachments': {...hi, attachments: notes},

  'chat.update: cant_broadcast_message': edit({reply_broadcast: true}),
  'chat.update: cant_update_message': async (at) => ({...hi, ts: await hers(at)}),
  'chat.update: channel_not_found': {...hi, channel: 'C0X', ts: nobody},
  'chat.update: edit_window_closed': edit({text: 'x'}, (at) =>
    at.people.setRules({editWindowS: 0}),
  ),
  'chat.update: invalid_arguments': hi,
  'chat.update: invalid_attachments': edit({attachments: 'none'}),
  'chat.update: invalid_blocks': edit({blocks: [{type: 'none'}]}),
  'chat.update: invalid_blocks_format': edit({blocks: 'none'}),
  'chat.update: invalid_metadata_format': edit({metadata: 'none'}),
  'chat.update: invalid_metadata_schema': edit({metadata: {event_type: 'x'}}),
  'chat.update: is_inactive': edit({text: 'x'}, archived),
  'chat.update: markdown_text_conflict': edit({text: 'x', markdown_text: 'x'}),
  'chat.update: message_limit_exceeded': edit({text: 'x'}, full),
  'chat.update: message_not_found': {...hi, ts: nobody},
  'chat.update: metadata_too_large': edit({metadata: wordy}),
  'chat.update: msg_blocks_too_long': edit(crowded),
  'chat.update: msg_too_long': edit({text: long(4_001)}),
  'chat.update: no_dual_broadcast_content_update': async (at) => {
    const ts = await own(at, {thread_ts: await hers(at)})
    return {...web, ts, text: 'x', reply_broadcast: true}
  },
  'chat.update: no_text': edit({}),
  'chat.update: not_in_channel': edit({text: 'x'}, (at) => at.people.kickBot('C0WEB')),
  'chat.update: streaming_state_conflict': async ({client}) => {
    const {ts: thread_ts = ''} = await client.chat.postMessage({channel: 'D0JANE', text: 'Hi'})
    const {ts} = await client.chat.startStream({channel: 'D0JANE', thread_ts})
    return {channel: 'D0JANE', ts, text: 'x'}
  },
  'chat.update: too_many_attachments': edit({attachments: notes}),

  'chat.delete: cant_delete_message': async (at) => ({...web, ts: await hers(at)}),
  'chat.delete: channel_not_found': {channel: 'C0X', ts: nobody},
  'chat.delete: invalid_arguments': web,
  'chat.delete: message_not_found': {...web, ts: nobody},
  'chat.delete: not_in_channel': {channel: 'C0RANDOM', ts: nobody},

  'chat.getPermalink: channel_not_found': {channel: 'C0X', message_ts: nobody},
  'chat.getPermalink: invalid_arguments': web,
  'chat.getPermalink: message_not_found': {...web, message_ts: nobody},
})

const whisper = {...hi, user: 'U0JANE'}

refuses({
  'chat.postEphemeral: cannot_reply_to_message': async (at) => ({
    ...whisper,
    thread_ts: await reply(at),
  }),
  'chat.postEphemeral: channel_not_found': {...whisper, channel: 'C0X'},
  'chat.postEphemeral: invalid_arguments': hi,
  'chat.postEphemeral: invalid_attachments': {...whisper, attachments: 'none'},
  'chat.postEphemeral: invalid_blocks': {...whisper, blocks: [{type: 'none'}]},
  'chat.postEphemeral: invalid_blocks_format': {...whisper, blocks: 'none'},
  'chat.postEphemeral: invalid_thread_ts': {...whisper, thread_ts: '17'},
  'chat.postEphemeral: is_archived': after(archived, whisper),
  'chat.postEphemeral: markdown_text_conflict': {...whisper, markdown_text: 'Hi'},
  'chat.postEphemeral: message_limit_exceeded': after(full, whisper),
  'chat.postEphemeral: msg_blocks_too_long': {...whisper, ...crowded},
  'chat.postEphemeral: msg_too_long': {...whisper, text: long(4_001)},
  'chat.postEphemeral: no_text': {...web, user: 'U0JANE'},
  'chat.postEphemeral: not_in_channel': {...whisper, channel: 'C0RANDOM'},
  'chat.postEphemeral: restricted_action': after(restricted('read_only'), whisper),
  'chat.postEphemeral: thread_not_found': {...whisper, thread_ts: nobody},
  'chat.postEphemeral: too_many_attachments': {...whisper, attachments: notes},
  'chat.postEphemeral: user_not_in_channel': {...whisper, user: 'U0NOBODY'},
})

const toJane = {channel: 'D0JANE', text: 'Hi'}

refuses(
  {
    'chat.postMessage: messages_tab_disabled': toJane,
    'chat.postEphemeral: messages_tab_disabled': {...toJane, user: 'U0JANE'},
  },
  {messagesTab: false},
)
