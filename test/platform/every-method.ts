import type {PlatformClient} from '../../src/platform/client.ts'
import {
  automation,
  avatar,
  entry,
  filterRule,
  newAutomation,
  newCaptain,
  newMessage,
  newReview,
  newRule,
  newThread,
  period,
  project,
  round,
  rule,
  task,
  thread,
  transfer,
  user,
} from './samples.ts'

/** One method of the client: how it is called, what goes out, what comes back. */
interface MethodCase {
  call: (client: PlatformClient, signal: AbortSignal) => Promise<unknown>
  /** Method, path and query as they stand in the request line, below `/api/v1`. */
  request: string
  body?: unknown
  answer: unknown
  /** What the method gives for the answer. */
  given: unknown
  /** Whether it goes out again when the platform cannot be reached. */
  repeats: boolean
}

const page = (item: unknown) => ({items: [item], cursor: null})

/** Every method of the client, in the order of section 4. */
export const everyMethod: Readonly<Record<keyof PlatformClient, MethodCase>> = {
  createThread: {
    call: (client, signal) => client.createThread(newThread, signal),
    request: 'POST /threads',
    body: newThread,
    answer: thread,
    given: thread,
    repeats: true,
  },
  listThreads: {
    call: (client, signal) =>
      Array.fromAsync(client.listThreads({projectId: 'p/1', status: 'idle', limit: 5}, signal)),
    request: 'GET /threads?projectId=p%2F1&status=idle&limit=5',
    answer: page(thread),
    given: [thread],
    repeats: true,
  },
  getThread: {
    call: (client, signal) => client.getThread('t/1 ü?', signal),
    request: 'GET /threads/t%2F1%20%C3%BC%3F',
    answer: thread,
    given: thread,
    repeats: true,
  },
  sendMessage: {
    call: (client, signal) => client.sendMessage('t/1', newMessage, signal),
    request: 'POST /threads/t%2F1/message',
    body: newMessage,
    answer: {id: 'e1', deduped: false},
    given: {id: 'e1', deduped: false},
    repeats: false,
  },
  listMessages: {
    call: (client, signal) => Array.fromAsync(client.listMessages('t/1', 'c&1', signal)),
    request: 'GET /threads/t%2F1/messages?after=c%261',
    answer: page(entry),
    given: [entry],
    repeats: true,
  },
  cancelMessage: {
    call: (client, signal) => client.cancelMessage('t/1', 'e/1', signal),
    request: 'POST /threads/t%2F1/messages/e%2F1/cancel',
    answer: {outcome: 'tooLate'},
    given: {outcome: 'tooLate'},
    repeats: false,
  },
  sendNow: {
    call: (client, signal) => client.sendNow('t/1', 'e/1', signal),
    request: 'POST /threads/t%2F1/messages/e%2F1/send-now',
    answer: {outcome: 'sent', id: 'e2'},
    given: {outcome: 'sent', id: 'e2'},
    repeats: false,
  },
  interrupt: {
    call: (client, signal) => client.interrupt('t/1', signal),
    request: 'POST /threads/t%2F1/interrupt',
    answer: {whatever: ['it', 'says']},
    given: {whatever: ['it', 'says']},
    repeats: false,
  },
  archive: {
    call: (client, signal) => client.archive('t/1', signal),
    request: 'POST /threads/t%2F1/archive',
    answer: thread,
    given: thread,
    repeats: false,
  },
  unarchive: {
    call: (client, signal) => client.unarchive('t/1', signal),
    request: 'POST /threads/t%2F1/unarchive',
    answer: thread,
    given: thread,
    repeats: false,
  },
  takeOver: {
    call: (client, signal) => client.takeOver('t/1', signal),
    request: 'POST /threads/t%2F1/takeover',
    answer: thread,
    given: thread,
    repeats: false,
  },
  regenerateTitle: {
    call: (client, signal) => client.regenerateTitle('t/1', signal),
    request: 'POST /threads/t%2F1/regenerate-title',
    answer: thread,
    given: thread,
    repeats: false,
  },
  listTasks: {
    call: (client, signal) => Array.fromAsync(client.listTasks('t/1', signal)),
    request: 'GET /threads/t%2F1/tasks',
    answer: page(task),
    given: [task],
    repeats: true,
  },
  getTask: {
    call: (client, signal) => client.getTask('k/1', signal),
    request: 'GET /tasks/k%2F1',
    answer: task,
    given: task,
    repeats: true,
  },
  listTaskMessages: {
    call: (client, signal) => Array.fromAsync(client.listTaskMessages('k/1', 'c 1', signal)),
    request: 'GET /tasks/k%2F1/messages?after=c+1',
    answer: page(entry),
    given: [entry],
    repeats: true,
  },
  createCaptain: {
    call: (client, signal) => client.createCaptain(newCaptain, signal),
    request: 'POST /captains',
    body: newCaptain,
    answer: {...thread, name: 'Ada', avatar, personal: true},
    given: {...thread, name: 'Ada', avatar, personal: true},
    repeats: true,
  },
  listProjects: {
    call: (client, signal) => client.listProjects(signal),
    request: 'GET /projects',
    answer: {items: [project]},
    given: [project],
    repeats: true,
  },
  getProject: {
    call: (client, signal) => client.getProject('p 1', signal),
    request: 'GET /projects/p%201',
    answer: project,
    given: project,
    repeats: true,
  },
  listUsers: {
    call: (client, signal) => client.listUsers(signal),
    request: 'GET /users',
    answer: {items: [user]},
    given: [user],
    repeats: true,
  },
  fileThreads: {
    call: (client, signal) => client.fileThreads('d/1', ['t1', 't2'], signal),
    request: 'POST /folders/d%2F1/threads',
    body: {threadIds: ['t1', 't2']},
    answer: {outcomes: [{threadId: 't1', outcome: 'ok'}]},
    given: [{threadId: 't1', outcome: 'ok'}],
    repeats: false,
  },
  listAutomations: {
    call: (client, signal) =>
      Array.fromAsync(client.listAutomations({projectId: 'p', limit: 2}, signal)),
    request: 'GET /automations?projectId=p&limit=2',
    answer: page(automation),
    given: [automation],
    repeats: true,
  },
  createAutomation: {
    call: (client, signal) => client.createAutomation(newAutomation, signal),
    request: 'POST /automations',
    body: newAutomation,
    answer: {...automation, webhookUrl: null},
    given: {...automation, webhookUrl: null},
    repeats: true,
  },
  enableAutomation: {
    call: (client, signal) => client.enableAutomation('a/1', signal),
    request: 'POST /automations/a%2F1/enable',
    answer: automation,
    given: automation,
    repeats: false,
  },
  disableAutomation: {
    call: (client, signal) => client.disableAutomation('a/1', signal),
    request: 'POST /automations/a%2F1/disable',
    answer: automation,
    given: automation,
    repeats: false,
  },
  deleteAutomation: {
    call: (client, signal) => client.deleteAutomation('a/1', signal),
    request: 'POST /automations/a%2F1/delete',
    answer: automation,
    given: automation,
    repeats: false,
  },
  restoreAutomation: {
    call: (client, signal) => client.restoreAutomation('a/1', signal),
    request: 'POST /automations/a%2F1/restore',
    answer: automation,
    given: automation,
    repeats: false,
  },
  startReview: {
    call: (client, signal) => client.startReview(newReview, signal),
    request: 'POST /reviews',
    body: newReview,
    answer: round,
    given: round,
    repeats: false,
  },
  createReviewRule: {
    call: (client, signal) => client.createReviewRule(newRule, signal),
    request: 'POST /review-rules',
    body: newRule,
    answer: {rule},
    given: rule,
    repeats: false,
  },
  listReviewFilters: {
    call: (client, signal) => client.listReviewFilters(signal),
    request: 'GET /review-filters/rules',
    answer: {rules: [filterRule]},
    given: [filterRule],
    repeats: true,
  },
  deleteReviewFilter: {
    call: (client, signal) => client.deleteReviewFilter('f/1', signal),
    request: 'DELETE /review-filters/rules/f%2F1',
    answer: {id: 'f/1', deleted: true},
    given: {id: 'f/1', deleted: true},
    repeats: false,
  },
  declineBillingTransfer: {
    call: (client, signal) => client.declineBillingTransfer('acme/web', signal),
    request: 'POST /review-billing-transfer/decline',
    body: {repo: 'acme/web'},
    answer: transfer,
    given: transfer,
    repeats: false,
  },
  getUsage: {
    call: (client, signal) => client.getUsage(period, signal),
    request: 'GET /usage?from=2026-01-01T00%3A00%3A00.000Z&to=2026-02-01T00%3A00%3A00.000Z',
    answer: {any: {report: 1.5}},
    given: {any: {report: 1.5}},
    repeats: true,
  },
  getSessionToken: {
    call: (client, signal) => client.getSessionToken('t/1', signal),
    request: 'GET /threads/t%2F1/session-token',
    answer: {sessionToken: 'h.p.s', issuedAt: 'now'},
    given: {token: 'h.p.s', raw: {sessionToken: 'h.p.s', issuedAt: 'now'}},
    repeats: true,
  },
  verifySession: {
    call: (client, signal) => client.verifySession('h.p.s', signal),
    request: 'POST /sessions/verify',
    body: {token: 'h.p.s'},
    answer: {valid: true, threadId: 't/1', projectId: 'p'},
    given: {valid: true, threadId: 't/1', projectId: 'p'},
    repeats: true,
  },
}
