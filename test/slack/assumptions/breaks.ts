import type {AssumptionId} from '../../../src/slack/assumptions/catalogue.ts'
import type {Passing, Rewrite} from '../../support/rewriting-proxy.ts'
import {type Trial, untilEnough} from './bench.ts'

type Fields = Record<string, unknown>
type Change = (body: Fields, args: Readonly<Record<string, string>>) => void

/** Another answer to one method. */
const answering = (method: string, change: Change) => (): Rewrite => ({
  after: ({method: of, body, args}) => {
    if (of === method && body['ok'] === true) change(body, args)
  },
})

/** The method is answered so instead of being called, where `isMeant` (the n-th such call counts from 1). */
const instead =
  (
    method: string,
    answer: Fields,
    isMeant: (args: Readonly<Record<string, string>>, count: number) => boolean = () => true,
  ) =>
  (): Rewrite => {
    let count = 0
    return {
      before: ({method: of, args}) => {
        if (of !== method) return undefined
        count += 1
        return isMeant(args, count) ? answer : undefined
      },
    }
  }

const refusing = (method: string, error: string, isMeant?: Parameters<typeof instead>[2]) =>
  instead(method, {ok: false, error}, isMeant)

const says =
  (text: string) =>
  (args: Readonly<Record<string, string>>): boolean =>
    args['text'] === text

function first(isMeant: (args: Readonly<Record<string, string>>) => boolean) {
  let isOver = false
  return (args: Readonly<Record<string, string>>): boolean => {
    const isFirst = !isOver && isMeant(args)
    isOver ||= isFirst
    return isFirst
  }
}

/** The second time that somebody asks for the very same. */
function second(isMeant: (args: Readonly<Record<string, string>>) => boolean = () => true) {
  const seen = new Set<string>()
  return (args: Readonly<Record<string, string>>): boolean => {
    if (!isMeant(args)) return false
    const key = JSON.stringify(args)
    const isSecond = seen.has(key)
    seen.add(key)
    return isSecond
  }
}

/** What is read of one message, the one whose text begins so. */
const reading = (text: string, change: (message: Fields) => void) =>
  answering('conversations.replies', ({messages}) => {
    for (const message of messages as Fields[]) {
      if (String(message['text']).startsWith(text)) change(message)
    }
  })

const REPLY = 'This is a reply'

/** What is heard of what happened. */
const hearing = (change: (payload: Fields, frame: Fields) => void) => (): Rewrite => ({
  frame: (frame) => {
    if (frame['type'] === 'events_api') change(frame['payload'] as Fields, frame)
  },
})

const always = (after: (passing: Passing) => void) => (): Rewrite => ({after})

/** A message that is being streamed is said to be gone. */
function deletingStreams(): Rewrite {
  const live = new Set<unknown>()
  return {
    before: ({method, args}) => {
      if (method === 'chat.stopStream') live.delete(args['ts'])
      const isLive = method === 'chat.delete' && live.has(args['ts'])
      return isLive ? {ok: false, error: 'message_not_found'} : undefined
    },
    after: ({method, body}) => {
      if (method === 'chat.startStream') live.add(body['ts'])
    },
  }
}

/** A file is there still, after it was deleted. */
function keepingFiles(): Rewrite {
  let file: unknown
  return {
    after: (passing) => {
      if (passing.method !== 'files.info') return
      if (passing.body['ok'] === true) ({file} = passing.body)
      else passing.body = {ok: true, file}
    },
  }
}

/** One burst meets a 429: the call that `isMeant` names. */
const limiting =
  (
    method: string,
    isMeant: (args: Readonly<Record<string, string>>) => boolean,
  ): NonNullable<Trial['rewrite']> =>
  ({faults}) => ({
    before: ({method: of, args}) => {
      if (of === method && isMeant(args)) {
        faults.failNext(method, {times: 1, status: 429, applied: false, retryAfterSeconds: 1})
      }
      return undefined
    },
  })

/** Slack as Bosun does not take it to be: by the assumption that is not true there. */
export const BREAKS: Record<AssumptionId, Trial> = {
  'scopes-told': {rewrite: always(({headers}) => headers.delete('x-oauth-scopes'))},
  'clock-told': {rewrite: always(({headers}) => headers.set('date', new Date(0).toUTCString()))},
  'channel-told': {
    rewrite: answering('conversations.info', ({channel}) => {
      delete (channel as Fields)['is_ext_shared']
    }),
  },
  'members-listed': {
    rewrite: answering('conversations.members', (body) => {
      body['members'] = (body['members'] as string[]).filter((id) => id !== 'U0BOSUN')
    }),
  },
  'person-told': {
    rewrite: answering('users.info', ({user}) => {
      delete (user as Fields)['is_restricted']
    }),
  },
  'person-email': {
    rewrite: answering('users.info', ({user}) => {
      ;(user as Fields)['profile'] = {}
    }),
  },
  'email-found': {rewrite: refusing('users.lookupByEmail', 'users_not_found')},
  'post-ts': {
    rewrite: answering('chat.postMessage', (body, {text = ''}) => {
      if (text.startsWith(REPLY)) body['ts'] = '1.5'
    }),
  },
  'reply-below': {rewrite: reading(REPLY, (message) => delete message['thread_ts'])},
  'own-author': {rewrite: reading(REPLY, (message) => (message['user'] = 'U0JANE'))},
  'persona-ours': {
    rewrite: reading('This one bears', (message) => (message['bot_id'] = 'B0OTHER')),
  },
  permalink: {rewrite: answering('chat.getPermalink', (body) => (body['permalink'] = ''))},
  'metadata-found': {rewrite: reading(REPLY, (message) => delete message['metadata'])},
  'history-metadata': {
    rewrite: answering('conversations.history', ({messages}) => {
      for (const message of messages as Fields[]) delete message['metadata']
    }),
  },
  'thread-paged': {
    rewrite: answering('conversations.replies', (body, {limit}) => {
      if (limit === '2') body['response_metadata'] = {next_cursor: ''}
    }),
  },
  'escapes-kept': {
    rewrite: reading(REPLY, (message) => {
      message['text'] = String(message['text']).replace('&lt;', '<').replace('&gt;', '>')
    }),
  },
  'links-plain': {rewrite: reading(REPLY, (message) => (message['attachments'] = [{id: 1}]))},
  'edit-keeps-ts': {
    rewrite: answering('chat.update', (body, args) => {
      if (says('After the edit.')(args)) body['ts'] = '1700000000.000000'
    }),
  },
  'edit-repeated': {
    rewrite: refusing('chat.update', 'edit_window_closed', second(says('After the edit.'))),
  },
  'edit-keeps-metadata': {
    rewrite: reading('After the edit.', (message) => delete message['metadata']),
  },
  'edit-limit': {rewrite: instead('chat.update', {ok: true}, ({text = ''}) => text.length > 4000)},
  'edit-clears-blocks': {
    rewrite: reading('Words alone.', (message) => {
      message['blocks'] = [{type: 'divider', block_id: 'after'}]
    }),
  },
  'part-fits': {
    rewrite: refusing('chat.update', 'msg_blocks_too_long', ({blocks = ''}) =>
      blocks.includes('"markdown"'),
    ),
  },
  'fifty-blocks': {rewrite: refusing('chat.postMessage', 'invalid_blocks', says('Many blocks.'))},
  'long-elements': {
    rewrite: refusing('chat.postMessage', 'invalid_blocks', says('Long elements.')),
  },
  'over-refused': {rewrite: instead('chat.postMessage', {ok: true}, says('Too much.'))},
  'stream-starts': {rewrite: refusing('chat.startStream', 'channel_type_not_supported')},
  'stream-grows': {
    rewrite: instead('chat.appendStream', {ok: true}, (_args, count) => count === 1),
  },
  'stream-locks-edits': {rewrite: instead('chat.update', {ok: true}, says('Too soon.'))},
  'stream-locks-deletes': {rewrite: deletingStreams},
  'stream-metadata': {rewrite: reading('A stream begins', (message) => delete message['metadata'])},
  'stream-over': {rewrite: instead('chat.appendStream', {ok: true}, (_args, count) => count === 2)},
  'stream-edited-after': {
    rewrite: refusing(
      'chat.update',
      'streaming_state_conflict',
      says('What was streamed is edited.'),
    ),
  },
  'status-line': {rewrite: refusing('assistant.threads.setStatus', 'invalid_thread_ts')},
  session: {rewrite: refusing('agents.sessions.setStatus', 'session_not_found')},
  'reaction-stands': {rewrite: reading('This one gets', (message) => delete message['reactions'])},
  'reaction-twice': {rewrite: instead('reactions.add', {ok: true}, second())},
  'reaction-gone': {rewrite: instead('reactions.remove', {ok: true}, second())},
  'file-shared': {rewrite: reading('This is a file.', (message) => delete message['files'])},
  'file-bytes': {
    rewrite: answering('files.info', ({file}) => {
      const told = file as Fields
      told['url_private'] = new URL('/files-pri/none', String(told['url_private'])).href
    }),
  },
  'file-gone': {rewrite: keepingFiles},
  whisper: {rewrite: refusing('chat.postEphemeral', 'user_not_in_channel')},
  home: {options: {homeTab: false}},
  unfurl: {rewrite: instead('chat.unfurl', {ok: true})},
  'deleted-unlisted': {rewrite: instead('chat.delete', {ok: true}, (_args, count) => count === 1)},
  'deleted-edit': {rewrite: refusing('chat.update', 'cant_update_message', says('Too late.'))},
  'deleted-again': {rewrite: instead('chat.delete', {ok: true}, (_args, count) => count === 2)},
  'documented-rates': {rewrite: limiting('chat.update', first(says('After the edit.')))},
  'socket-opens': {hasSocket: true, rewrite: refusing('apps.connections.open', 'forbidden_team')},
  'event-arrives': {hasSocket: true, options: {events: []}},
  'event-again': {
    hasSocket: true,
    rewrite: hearing((payload, frame) => {
      if (Number(frame['retry_attempt']) > 0) payload['event_id'] = 'Ev0OTHER'
    }),
  },
  'edit-comes-back': {
    hasSocket: true,
    rewrite: hearing(({event}) => delete (event as Fields)['subtype']),
  },
  'stream-lives': {
    isThorough: true,
    rewrite: refusing(
      'chat.appendStream',
      'message_not_in_streaming_state',
      (_args, count) => count === 2,
    ),
  },
  'burst-posts': {isThorough: true, rewrite: limiting('chat.postMessage', says('Post 3'))},
  'burst-edits': {isThorough: true, rewrite: limiting('chat.update', says('Edit 5'))},
  'burst-appends': {
    isThorough: true,
    rewrite: limiting('chat.appendStream', ({markdown_text: text}) => text === 'more '),
  },
  'retry-after': {
    isThorough: true,
    rewrite: (slack) => ({
      ...untilEnough(slack),
      after: ({status, headers}) => {
        if (status === 429) headers.set('retry-after', 'soon')
      },
    }),
  },
  'limit-alone': {
    isThorough: true,
    rewrite: (slack) => ({
      before: ({method, args}) => {
        if (method === 'chat.update' && says('Edit 12')(args)) {
          slack.faults.storm('*', {times: 2})
        }
        return undefined
      },
    }),
  },
}
