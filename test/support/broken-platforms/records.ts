import type {Told} from './proxy.ts'
import {type BrokenPlatform, another, of, on, reply, rule, sent, told} from './ways.ts'

export const recordBreaks: readonly BrokenPlatform[] = [
  rule('no key is needed', '5', 'a request without a key answers 401', () => {
    let key = ''
    return {
      answer: (asked, forward) => {
        key ||= asked.headers['authorization'] ?? ''
        return forward({...asked, headers: {authorization: key, ...asked.headers}})
      },
    }
  }),
  rule('a wrong key answers 403', '5', 'a wrong key answers 401', () => ({
    answer: async (asked, forward) => {
      const answer = await forward(asked)
      const isWrong = answer.status === 401 && 'authorization' in asked.headers
      return isWrong ? reply(403, {_tag: 'svc/Forbidden'}) : answer
    },
  })),
  rule('an absent project has no projectId', '7', 'an absent project answers ProjectNotFound', () =>
    on('GET /projects/:', async (asked, forward) => {
      const answer = await forward(asked)
      delete of(answer.body)['projectId']
      return answer
    }),
  ),
  rule('an absent thread answers 400', '7', 'an absent thread answers ThreadNotFound', () =>
    on('GET /threads/:', async (asked, forward) => {
      const answer = await forward(asked)
      return answer.status === 404 ? {...answer, status: 400} : answer
    }),
  ),
  rule('an absent task answers a page', '7', 'an absent task answers TaskNotFound', () =>
    on('GET /tasks/:', async (asked, forward) => {
      const answer = await forward(asked)
      const headers = {'content-type': 'text/html'}
      return answer.status === 404 ? {status: 404, headers, body: 'gone'} : answer
    }),
  ),
  rule(
    'invalid bodies answer the retired envelope',
    '7',
    [
      'a body without what is required answers InvalidRequest',
      'a body that is no JSON answers InvalidRequest',
    ],
    () =>
      on('POST /threads', (asked, forward) =>
        'message' in of(asked.body)
          ? forward(asked)
          : reply(422, {error: {code: 'validation_error', message: 'no', details: {}}}),
      ),
  ),
  rule('a 429 without a word', '4.10 7', 'a 429 says when to come again', () => {
    let count = 0
    return on('GET /usage', (asked, forward) => {
      count += 1
      return count === 1 ? reply(429, {_tag: 'svc/RateLimited'}) : forward(asked)
    })
  }),

  rule('a thread has no usage', '4.1 2', 'every thread is as documented', () =>
    told('GET /threads/:', (body) => delete body['usage']),
  ),
  rule('infinite credits are null', '4.1 2', 'every thread is as documented', () =>
    told('GET /threads/:', (body) => (of(body['usage'])['totalCredits'] = null)),
  ),
  rule('moments are numbers', '4.1 2', 'every thread is as documented', () =>
    told('POST /threads', (body) => (body['createdAt'] = 1_700_000_000)),
  ),
  rule('a task is completed', '4.2 2', 'every task is as documented', () =>
    told('GET /tasks/:', (body) => (body['status'] = 'completed')),
  ),
  rule('a captain has more fields', '4.4 2', 'every captain is as documented', () =>
    told('POST /captains', (body) => (body['mood'] = 'fine')),
  ),
  rule('a receipt is an id alone', '4.1 2', 'every message receipt is as documented', () =>
    told('POST /threads/:/message', (body) => delete body['deduped']),
  ),

  rule('requestId is of no use', '4.1', 'a repeated requestId answers the original thread', () =>
    sent('POST /threads', another),
  ),
  rule('a title is ignored', '4.1', 'a thread is created in its project, under its title', () =>
    sent('POST /threads', (body) => delete body['title']),
  ),
  rule('anybody may be an author', '4.1', 'an author who is no active member is refused', () =>
    sent('POST /threads', (body) => delete body['authorId']),
  ),
  rule('the cursor of threads is ignored', '4.1', 'the list pages on behind its cursor', () =>
    on('GET /threads', (asked, forward) => {
      asked.query.delete('cursor')
      return forward(asked)
    }),
  ),
  rule('a page of entries ends too early', '4.1', 'the transcript pages on behind after', () =>
    told('GET /threads/:/messages', (body, {query}) => {
      if (query.has('limit')) body['cursor'] = null
    }),
  ),
  rule(
    'equal messages count as one',
    '4.1',
    'a message answers a receipt, and two equal ones are two',
    () => {
      let last: {said: string; answer: Told} | undefined
      return {
        answer: async (asked, forward) => {
          const said = JSON.stringify([asked.path, asked.body])
          const isAgain = asked.path.endsWith('/message') && last?.said === said
          const answer = isAgain && last !== undefined ? last.answer : await forward(asked)
          last = {said, answer}
          return answer
        },
      }
    },
  ),
]
