import {type BrokenPlatform, frames, of, on, reply, rule, sent, told} from './ways.ts'

const CANCEL = 'a message that waits is cancelled, and never delivered'
const SEND_NOW = 'send-now of a message that waits answers sent with a new id, and delivers it once'
const ORDER = 'queued messages are delivered in order, each once'
const TOO_LATE = 'what is delivered already answers tooLate'

export const messageBreaks: readonly BrokenPlatform[] = [
  rule('queue interrupts', '3.3 3.1', [CANCEL, SEND_NOW], () =>
    sent('POST /threads/:/message', (body) => {
      if (body['delivery'] === 'queue') body['delivery'] = 'interrupt'
    }),
  ),
  rule('the default waits', '3.1', 'a message without a delivery interrupts', () =>
    sent('POST /threads/:/message', (body) => (body['delivery'] ??= 'queue')),
  ),
  rule('a steering message is lost', '3.1', 'a steering message is delivered', () =>
    on('POST /threads/:/message', (asked, forward) =>
      of(asked.body)['delivery'] === 'steer'
        ? reply(200, {id: 'event_lost', deduped: false})
        : forward(asked),
    ),
  ),
  rule('cancel only says so', '3.3', [CANCEL, TOO_LATE], () =>
    on('POST /threads/:/messages/:/cancel', () => reply(200, {outcome: 'cancelled'})),
  ),
  rule('send-now keeps the id', '3.3', SEND_NOW, () =>
    told('POST /threads/:/messages/:/send-now', (body, {path}) => {
      if (body['outcome'] === 'sent') body['id'] = decodeURIComponent(path.split('/')[4] ?? '')
    }),
  ),
  rule('too late is a conflict', '3.3', TOO_LATE, () =>
    on('POST /threads/:/messages/:/cancel', async (asked, forward) => {
      const answer = await forward(asked)
      return of(answer.body)['outcome'] === 'tooLate' ? reply(409, {_tag: 'svc/Conflict'}) : answer
    }),
  ),
  rule('messages are delivered twice', '3.1 3.3', [CANCEL, SEND_NOW, ORDER], () =>
    on('POST /threads/:/message', async (asked, forward) => {
      if (of(asked.body)['delivery'] === 'queue') await forward(asked)
      return forward(asked)
    }),
  ),
  rule('the last message comes first', '3.1', ORDER, () => {
    const waiting = new Map<string, number>()
    return {
      answer: async (asked, forward) => {
        const answer = await forward(asked)
        const [thread = ''] = /^\/threads\/[^/]+/.exec(asked.path) ?? []
        const {text, delivery} = of(asked.body)
        const isQueued = asked.path === `${thread}/message` && delivery === 'queue'
        const count = isQueued ? (waiting.get(thread) ?? 0) + 1 : 0
        if (asked.method === 'POST') waiting.set(thread, count)
        if (count === 2 && String(text).includes('(')) {
          const path = `${thread}/messages/${String(of(answer.body)['id'])}/send-now`
          await forward({...asked, path, body: undefined})
        }
        return answer
      },
    }
  }),
  rule('interrupt does nothing', '3.1', 'interrupt stops active work', () =>
    on('POST /threads/:/interrupt', () => reply(200, {})),
  ),
  rule(
    'archive answers no thread',
    '3.1 2',
    ['archive answers the thread as archived', 'every thread is as documented'],
    () =>
      on('POST /threads/:/archive', async (asked, forward) => {
        await forward(asked)
        return reply(200, {ok: true})
      }),
  ),
  rule(
    'unarchive leaves it archived',
    '3.1',
    'unarchive answers the thread, archived no more',
    () =>
      told('POST /threads/:/unarchive', (body) =>
        Object.assign(body, {archived: true, status: 'archived'}),
      ),
  ),
  rule('archive leaves streams open', '3.1', 'archive closes the stream with done', () =>
    frames('done', (frame, {query}) => (query.has('until') ? frame : '')),
  ),
]
