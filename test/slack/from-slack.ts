/** How people in Slack reach an endpoint: acts by their events, or why nobody does. */
interface FromSlack {
  /** As `security/permits.ts` names them. */
  acts: readonly string[]
  /** In words, for docs/api-coverage.md. */
  words: string
}

const NO_PATH = 'not reachable: the document names no path'
const bySelf = (words: string): FromSlack => ({acts: [], words})

/** By method and path, as in coverage.ts. */
// One row, one line: this is a table.
// prettier-ignore
export const FROM_SLACK: Readonly<Record<string, FromSlack>> = {
  'POST /threads': {acts: ['message', '/bosun new', 'form bosun:start-form', 'press bosun:try-again'], words: 'a mention, `/bosun new`, *Send to Bosun*, [Try again]'},
  'GET /threads': {acts: ['/bosun find', '/bosun watch'], words: '`/bosun find`, `/bosun watch`; by itself, for what a hook or a schedule began'},
  'GET /threads/:threadId': {acts: ['press bosun:details', '/bosun follow'], words: '[Details], `/bosun follow`'},
  'POST /threads/:threadId/message': {acts: ['message', 'form bosun:answer'], words: 'a reply in the Slack thread, [Answer]'},
  'GET /threads/:threadId/messages': {acts: ['/bosun follow', 'press bosun:check-again', 'press bosun:steps', 'press bosun:steps-page'], words: 'by itself with each relay, and for what a hook or a schedule began; `/bosun follow`, [Check again], [Steps] among the details'},
  'POST /threads/:threadId/messages/:eventId/cancel': {acts: ['press bosun:cancel', 'message deleted', 'press bosun:stop'], words: '[Cancel] under a waiting message, deleting it, or [Stop] while it waits'},
  'POST /threads/:threadId/messages/:eventId/send-now': {acts: ['press bosun:send-now'], words: '[Send now] under a waiting message'},
  'POST /threads/:threadId/interrupt': {acts: ['press bosun:stop', 'press bosun:list-stop', 'reaction octagonal_sign', 'native stop'], words: '[Stop], `stop`, 🛑, Slack’s own stop'},
  'POST /threads/:threadId/archive': {acts: ['press bosun:archive', 'form bosun:archive', 'press bosun:stop-archive', 'press bosun:archive-only'], words: '[Archive]'},
  'POST /threads/:threadId/unarchive': {acts: ['press bosun:unarchive', 'press bosun:unarchive-send', 'press bosun:send-held'], words: '[Unarchive], [Unarchive and send]'},
  'POST /threads/:threadId/takeover': {acts: ['press bosun:take-over'], words: '[Take over] among the details'},
  'POST /threads/:threadId/regenerate-title': {acts: ['press bosun:new-title'], words: '[New title]'},
  'GET /threads/:threadId/tasks': {acts: ['press bosun:tasks', 'press bosun:tasks-page', '/bosun tasks'], words: '[Tasks], `/bosun tasks`'},
  'GET /threads/:threadId/session-token': bySelf('not from Slack: the token is for code on the agent’s own machine, where it is a file (section 4.11)'),
  'GET /tasks/:taskId': {acts: ['press bosun:task-messages', 'press bosun:follow-task'], words: '[Messages] and [Follow this task] in [Tasks]'},
  'GET /tasks/:taskId/messages': {acts: ['press bosun:task-messages', 'press bosun:task-messages-page'], words: '[Messages] in [Tasks]'},
  'GET /threads/:threadId/stream': {acts: ['/bosun follow'], words: 'by itself, for every Slack thread of work'},
  'GET /tasks/:taskId/stream': {acts: ['press bosun:follow-task'], words: '[Follow this task]'},
  'POST /captains': {acts: ['/captain new'], words: '`/captain new`'},
  'GET /projects': {acts: ['/bosun projects', '/bosun connect', '/bosun watch'], words: '`/bosun projects`, `/bosun connect`, `project=`'},
  'GET /projects/:projectId': {acts: ['message', 'press bosun:automation-fields'], words: 'by itself: the project’s name on a card, the usual branches of its repositories'},
  'GET /users': {acts: ['/bosun users', '/bosun usage', 'press bosun:automation-fields'], words: '`/bosun users`, whom an automation runs as; by itself, to find whose work it is'},
  'POST /folders/:folderId/threads': {acts: ['press bosun:file', 'form bosun:file-form', '/bosun folders'], words: '[File in a folder], `/bosun folders`'},
  'GET /folders': bySelf(`${NO_PATH}; \`/bosun folders\` remembers ids`),
  'GET /folders/:folderId/threads': bySelf(NO_PATH),
  'POST /pins': bySelf(NO_PATH),
  'GET /automations': {acts: ['/bosun automations', 'press bosun:automation-details'], words: '`/bosun automations`; by itself, where a schedule has begun nothing'},
  'POST /automations': {acts: ['/bosun automations'], words: '`/bosun automations`'},
  'POST /automations/:automationId/disable': {acts: ['/bosun automations'], words: '[Disable] in `/bosun automations`'},
  'POST /automations/:automationId/enable': {acts: ['/bosun automations'], words: '[Enable] in `/bosun automations`'},
  'POST /automations/:automationId/delete': {acts: ['/bosun automations'], words: '[Delete] in `/bosun automations`'},
  'POST /automations/:automationId/restore': {acts: ['/bosun automations'], words: '[Restore] in `/bosun automations`'},
  'POST /reviews': {acts: ['/review '], words: '`/review PR`, [Review] on a PR card'},
  'POST /review-rules': {acts: ['/review rules'], words: '`/review rules`'},
  'GET /review-filters/rules': {acts: ['/review filters'], words: '`/review filters`'},
  'DELETE /review-filters/rules/:id': {acts: ['/review filters'], words: '[Delete] in `/review filters`'},
  'POST /review-billing-transfer/decline': {acts: ['/review billing'], words: '`/review billing decline REPO`'},
  'POST /webhooks/automations/:secret': {acts: ['/bosun hooks', 'shortcut bosun:automate'], words: '`/bosun hooks`, *Send to automation*'},
  'GET /usage': {acts: ['/bosun usage', 'press bosun:usage-more'], words: '`/bosun usage`'},
  'POST /sessions/verify': bySelf(
    'not from Slack: for `POST /agent/posts` ([agent-posts.md](agent-posts.md)) and files ([files.md](files.md))',
  ),
}
