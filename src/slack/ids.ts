/** Action ids of our buttons, as Slack sends them back. */
export const ACTIONS = {
  stop: 'bosun:stop',
  archive: 'bosun:archive',
  unarchive: 'bosun:unarchive',
  /** A link: Slack tells us of the click all the same. */
  open: 'bosun:open',
  checkAgain: 'bosun:check-again',
  sendAgain: 'bosun:send-again',
  listStop: 'bosun:list-stop',
  listMore: 'bosun:list-more',
  followHere: 'bosun:follow-here',
  answerWatched: 'bosun:answer-watched',
  notThisOne: 'bosun:not-this-one',
  tasks: 'bosun:tasks',
  tasksPage: 'bosun:tasks-page',
  taskMessages: 'bosun:task-messages',
  taskMessagesPage: 'bosun:task-messages-page',
  followTask: 'bosun:follow-task',
} as const

export type ActionId = (typeof ACTIONS)[keyof typeof ACTIONS]

/** What may be pressed again and again on one state of a message: to look once more, to open a modal. */
export const MANY_TIMES: ReadonlySet<string> = new Set([
  ACTIONS.checkAgain,
  ACTIONS.answerWatched,
  ACTIONS.tasks,
  ACTIONS.taskMessages,
])

/** Callback ids of our modals. */
export const FORMS = {answerWatched: 'bosun:answer-watched'} as const

/** All our slash commands. */
export const COMMANDS = ['/bosun'] as const

/** Callback ids of our message shortcuts. */
export const SHORTCUTS = {send: 'bosun:send', manage: 'bosun:manage'} as const

/** Put on a card, it stops the work. */
export const STOP_SIGN = 'octagonal_sign'

/** The type of the metadata that names an announcement. */
export const ANNOUNCEMENT_METADATA = 'bosun_announcement'

/** The type of the metadata that names a message's post. Any app in the workspace may read it. */
export const POST_METADATA = 'bosun_post'
