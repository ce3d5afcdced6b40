import {type BrokenPlatform, type Fields, another, on, reply, rule, sent, told} from './ways.ts'

const DELIVERY = 'a delivery is accepted, and a duplicate under the same key'

export const organizationBreaks: readonly BrokenPlatform[] = [
  rule(
    'children come before their parents',
    '4.1',
    [
      'tasks are listed depth-first, parents before their children',
      'the tasks page on behind after',
    ],
    () => told('GET /threads/:/tasks', (body) => (body['items'] as unknown[]).reverse()),
  ),
  rule('a task is another one', '4.2', 'a task reads back by its id', () =>
    told('GET /tasks/:', (body) => (body['id'] = 'task_other')),
  ),
  rule('a second captain is made', '4.4', 'a repeated requestId answers the existing captain', () =>
    sent('POST /captains', another),
  ),
  rule(
    'a captain takes whatever is sent',
    '4.4',
    'additional properties of a captain are refused',
    () => sent('POST /captains', (body) => delete body['surprise']),
  ),

  rule('nobody is a member', '4.5', 'users are listed', () =>
    told('GET /users', (body) => (body['items'] = [])),
  ),
  rule('a folder that is absent takes threads', '4.6', 'an absent folder is refused', () =>
    on('POST /folders/:/threads', (asked, forward) =>
      asked.path.includes('absent') ? reply(200, {outcomes: []}) : forward(asked),
    ),
  ),
  rule('a window is never wrong', '4.10', 'a window that is none is refused', () =>
    on('GET /usage', (asked, forward) => forward({...asked, query: new URLSearchParams()})),
  ),
  rule(
    'usage fails',
    '4.10',
    [
      'usage reports the current month',
      'usage reports another window',
      'a window that is none is refused',
    ],
    () => on('GET /usage', () => reply(500, {_tag: 'svc/Internal'})),
  ),

  rule(
    'a second automation is made',
    '4.7',
    [
      'a repeated requestId answers the same automation',
      'webhookUrl comes with the first answer, is null on a replay, and left out of the list',
    ],
    () => sent('POST /automations', another),
  ),
  rule(
    'the list shows secrets',
    '4.7',
    'webhookUrl comes with the first answer, is null on a replay, and left out of the list',
    () =>
      told('GET /automations', (body) => {
        for (const item of body['items'] as Fields[]) item['webhookUrl'] = 'https://x.test/secret'
      }),
  ),
  rule('enable does nothing', '3.4 3.7', ['enable makes enabled true', DELIVERY], () =>
    on('POST /automations/:/enable', () => reply(200, {})),
  ),
  rule('a duplicate runs again', '3.7', DELIVERY, () =>
    on('POST /webhooks/automations/:', (asked, forward) => {
      delete asked.headers['idempotency-key']
      return forward(asked)
    }),
  ),
  rule(
    'a disabled hook accepts',
    '4.9',
    'the webhook of a disabled automation and a wrong one answer 404',
    () =>
      on('POST /webhooks/automations/:', async (asked, forward) => {
        const answer = await forward(asked)
        return answer.status === 404 ? reply(202, {outcome: 'accepted'}) : answer
      }),
  ),

  rule('a round is never adopted', '3.6', 'a repeated start answers the same round', () =>
    told('POST /reviews', (body) => (body['adopted'] = false)),
  ),
  rule('whatever is deleted', '4.8', 'deleting an absent filter rule deletes nothing', () =>
    told('DELETE /review-filters/rules/:', (body) => (body['deleted'] = true)),
  ),
  rule('every token is valid', '4.11', 'what is no token is not valid', () =>
    told('POST /sessions/verify', (body) => (body['valid'] = true)),
  ),
]
