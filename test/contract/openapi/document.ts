/**
 * What the platform's API document lists, typed off it and nothing else: the contract is held against it.
 */

/** Sections 4.1 to 4.11, as they stand there: `METHOD path`, by section. */
export const PATHS: Readonly<Record<string, readonly string[]>> = {
  '4.1': [
    'POST /threads',
    'GET /threads',
    'GET /threads/{threadId}',
    'POST /threads/{threadId}/message',
    'GET /threads/{threadId}/messages',
    'POST /threads/{threadId}/messages/{eventId}/cancel',
    'POST /threads/{threadId}/messages/{eventId}/send-now',
    'POST /threads/{threadId}/interrupt',
    'POST /threads/{threadId}/archive',
    'POST /threads/{threadId}/unarchive',
    'POST /threads/{threadId}/takeover',
    'POST /threads/{threadId}/regenerate-title',
    'GET /threads/{threadId}/tasks',
  ],
  '4.2': ['GET /tasks/{taskId}', 'GET /tasks/{taskId}/messages'],
  '4.3': ['GET /threads/{threadId}/stream', 'GET /tasks/{taskId}/stream'],
  '4.4': ['POST /captains'],
  '4.5': ['GET /projects', 'GET /projects/{projectId}', 'GET /users'],
  '4.6': ['POST /folders/{folderId}/threads'],
  '4.7': [
    'GET /automations',
    'POST /automations',
    'POST /automations/{automationId}/disable',
    'POST /automations/{automationId}/enable',
    'POST /automations/{automationId}/delete',
    'POST /automations/{automationId}/restore',
  ],
  '4.8': [
    'POST /reviews',
    'POST /review-rules',
    'GET /review-filters/rules',
    'DELETE /review-filters/rules/{id}',
    'POST /review-billing-transfer/decline',
  ],
  '4.9': ['POST /webhooks/automations/{secret}'],
  '4.10': ['GET /usage'],
  '4.11': ['GET /threads/{threadId}/session-token', 'POST /sessions/verify'],
}

/** Section 4.6 knows of three more, and names no path of theirs. */
export const UNNAMED_PATHS = 3

/** Section 2.2: the required fields of a captain, all but the last two also of a thread. */
export const CAPTAIN_REQUIRES =
  'id projectId authorId previousAuthorId title titleCustom status archived lastModelId pullRequestAuthor usage createdAt updatedAt lastActivityAt hasUnreads mentionCount owed member name avatar'

/** Section 7: the tag, its status (none where it is not shown), its fields (`?` where optional). */
export const REFUSALS: readonly (readonly [
  tag: string,
  status: number | undefined,
  fields: string,
])[] = [
  ['InvalidRequest', 400, 'message'],
  ['ModelSelection.Rejected', 400, 'message candidates rejection? modelId? service? health?'],
  ['Unauthorized', 401, ''],
  ['PaidFeatureUnavailable', 402, 'feature'],
  ['Forbidden', 403, ''],
  ['ProjectNotFound', 404, 'projectId'],
  ['ThreadNotFound', 404, 'threadId'],
  ['TaskNotFound', 404, 'taskId'],
  ['ReviewRefused', 422, 'reason'],
  ['RateLimited', 429, 'retryAfterSeconds'],
  ['Conflict', undefined, 'message'],
  ['ThreadOrganizationNotFound', undefined, ''],
  ['StreamUnavailable', undefined, ''],
]

/** Section 6.2: the event, the fields of each form that its data have, and the words of those that are listed. */
export const EVENTS: Readonly<Record<string, readonly string[]>> = {
  status: ['threadId status', 'taskId taskPath status archived'],
  transcript: ['id source text createdAt tool callId model attachments authorName'],
  run: ['phase'],
  turn: ['phase', 'phase outcome'],
  assistant: ['callId text'],
  tool_call: ['callId name text'],
  task: ['taskId taskPath status archived'],
  heartbeat: [''],
  error: ['code message'],
  done: [''],
}

/** Words that the document lists, and where they stand in the contract. */
export const WORDS: Readonly<Record<string, string>> = {
  'ModelSelection.reasoningMode': 'none instant minimal low medium high xhigh max',
  'Thread.status':
    'active working waiting pending_user ready_for_review idle error failed archived',
  'Task.status': 'working waiting idle done failed',
  'Avatar.kind': 'preset emoji',
  'Message.source': 'user assistant tool',
  'PaidFeatureUnavailable.feature': 'small medium large ultra hyper bigguy byok captain_image',
  'Frame.error.code': 'unauthorized stream_unavailable internal',
}

/** Section 8. */
export const LIMITS = {requestId: [1, 191], captainName: [1, 100]} as const
