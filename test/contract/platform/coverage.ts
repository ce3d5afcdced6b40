import type {PlatformClient} from '../../../src/platform/client.ts'

/** One row of section 4 of the platform's API document: what serves it, what calls it, what proves it. */
interface Coverage {
  section: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the API's base address, or below the origin where it starts with `/webhooks`. */
  path: string
  /** The method of our client; for the rows without one, why there is none. */
  client: keyof PlatformClient | {function: string} | {none: string}
  /** Names of the rules whose tests prove it. */
  rules: readonly (keyof typeof import('./rules.ts').RULES)[]
}

const UNNAMED =
  'the document names no path: the embedded platform chose one, a client cannot know it'

// One row, one line: this is a table.
// prettier-ignore
export const COVERAGE: readonly Coverage[] = [
  {section: '4.1', method: 'POST', path: '/threads', client: 'createThread', rules: ['4.1.r1', '4.1.r2', '4.1.r3', '4.1.r11']},
  {section: '4.1', method: 'GET', path: '/threads', client: 'listThreads', rules: ['4.1.r4', '4.1.r6', '4.1.r12']},
  {section: '4.1', method: 'GET', path: '/threads/:threadId', client: 'getThread', rules: ['3.1.r2', '7.r7']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/message', client: 'sendMessage', rules: ['4.1.r9', '4.1.r13', '4.1.r14', '3.1.r4']},
  {section: '4.1', method: 'GET', path: '/threads/:threadId/messages', client: 'listMessages', rules: ['4.1.r10', '4.1.r4']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/messages/:eventId/cancel', client: 'cancelMessage', rules: ['3.3.r1', '3.3.r2']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/messages/:eventId/send-now', client: 'sendNow', rules: ['3.3.r3', '3.3.r4']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/interrupt', client: 'interrupt', rules: ['3.1.r8']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/archive', client: 'archive', rules: ['3.1.r9', '3.1.r10', '3.1.r11']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/unarchive', client: 'unarchive', rules: ['3.1.r13']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/takeover', client: 'takeOver', rules: ['4.1.r7', '7.r11']},
  {section: '4.1', method: 'POST', path: '/threads/:threadId/regenerate-title', client: 'regenerateTitle', rules: ['4.1.r8']},
  {section: '4.1', method: 'GET', path: '/threads/:threadId/tasks', client: 'listTasks', rules: ['4.1.r4', '4.1.r5']},
  {section: '4.11', method: 'GET', path: '/threads/:threadId/session-token', client: 'getSessionToken', rules: ['4.11.r1', '3.5.r1']},
  {section: '4.2', method: 'GET', path: '/tasks/:taskId', client: 'getTask', rules: ['4.2.r1', '4.2.r2']},
  {section: '4.2', method: 'GET', path: '/tasks/:taskId/messages', client: 'listTaskMessages', rules: ['4.2.r1']},
  {section: '4.3', method: 'GET', path: '/threads/:threadId/stream', client: {function: 'follow'}, rules: ['4.3.r1', '4.3.r2', '6.2.r1']},
  {section: '4.3', method: 'GET', path: '/tasks/:taskId/stream', client: {function: 'follow'}, rules: ['6.3.r6', '3.2.r2']},
  {section: '4.4', method: 'POST', path: '/captains', client: 'createCaptain', rules: ['4.4.r1', '4.4.r3']},
  {section: '4.5', method: 'GET', path: '/projects', client: 'listProjects', rules: ['4.5.r1']},
  {section: '4.5', method: 'GET', path: '/projects/:projectId', client: 'getProject', rules: ['4.5.r2']},
  {section: '4.5', method: 'GET', path: '/users', client: 'listUsers', rules: ['4.5.r3']},
  {section: '4.6', method: 'POST', path: '/folders/:folderId/threads', client: 'fileThreads', rules: ['4.6.r1', '4.6.r2', '4.6.r3']},
  {section: '4.6', method: 'GET', path: '/folders', client: {none: UNNAMED}, rules: ['4.6.r4']},
  {section: '4.6', method: 'GET', path: '/folders/:folderId/threads', client: {none: UNNAMED}, rules: ['4.6.r4']},
  {section: '4.6', method: 'POST', path: '/pins', client: {none: UNNAMED}, rules: ['4.6.r5', '4.6.r6']},
  {section: '4.7', method: 'GET', path: '/automations', client: 'listAutomations', rules: ['4.7.r4']},
  {section: '4.7', method: 'POST', path: '/automations', client: 'createAutomation', rules: ['4.7.r1', '4.7.r5', '4.7.r6']},
  {section: '4.7', method: 'POST', path: '/automations/:automationId/disable', client: 'disableAutomation', rules: ['3.4.r1']},
  {section: '4.7', method: 'POST', path: '/automations/:automationId/enable', client: 'enableAutomation', rules: ['3.4.r2']},
  {section: '4.7', method: 'POST', path: '/automations/:automationId/delete', client: 'deleteAutomation', rules: ['3.4.r3']},
  {section: '4.7', method: 'POST', path: '/automations/:automationId/restore', client: 'restoreAutomation', rules: ['3.4.r4']},
  {section: '4.8', method: 'POST', path: '/reviews', client: 'startReview', rules: ['3.6.r1', '3.6.r2', '4.8.r1']},
  {section: '4.8', method: 'POST', path: '/review-rules', client: 'createReviewRule', rules: ['4.8.r7']},
  {section: '4.8', method: 'GET', path: '/review-filters/rules', client: 'listReviewFilters', rules: ['4.8.r8']},
  {section: '4.8', method: 'DELETE', path: '/review-filters/rules/:id', client: 'deleteReviewFilter', rules: ['4.8.r8']},
  {section: '4.8', method: 'POST', path: '/review-billing-transfer/decline', client: 'declineBillingTransfer', rules: ['4.8.r9']},
  {section: '4.9', method: 'POST', path: '/webhooks/automations/:secret', client: {function: 'deliverWebhook'}, rules: ['4.9.r1', '4.9.r2']},
  {section: '4.10', method: 'GET', path: '/usage', client: 'getUsage', rules: ['4.10.r1']},
  {section: '4.11', method: 'POST', path: '/sessions/verify', client: 'verifySession', rules: ['4.11.r2']},
]
