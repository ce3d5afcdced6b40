import {HOME} from '../../src/slack/ids.ts'

/** What stands in one channel that deeds can be about. */
export interface Subjects {
  channel: string
  slackThread: string
  /** Of a message that somebody wrote. */
  messageTs?: string
  linkId: string
  /** Of the card. */
  cardTs: string
  taskId: string
  sendId: string
  pingId: string
  /** Of an agent's machine, with buttons. */
  questionId: string
  startId: string
  announcementId: string
  announcementTs: string
  connectionId: string
  /** With when it was changed last, as its buttons bear it. */
  alias: string
  /** The same of a rule. */
  rule: string
  /** Of an app's message, about which a rule asks. */
  alertId: string
  /** In whose Slack thread it asks. */
  alertTs: string
  hookId: string
  deliveryId: number
  /** Of budgets that are used up: of the work, and of the channel. */
  workNoteId: string
  channelNoteId: string
  runId: string
}

/** A deed: by whom, where, and about what, which may be of another place. */
interface Doing {
  team: string
  user: string
  botUserId: string
  ordinal: number
  channel: string
  slackThread: string
  about: Subjects
}

type Subject =
  | ('work budget' | 'channel budget')
  | ('link' | 'task list' | 'task' | 'send' | 'start' | 'offer')
  | ('ping' | 'offering ping' | 'question')
  | ('announcement' | 'connection' | 'alias' | 'rule' | 'alert')
  | ('hook' | 'delivery' | 'run' | 'thread' | 'open form' | 'none')

const PRESSES_ON: Readonly<Partial<Record<Subject, readonly string[]>>> = {
  link: [
    'room-open',
    ...['stop', 'archive', 'ask-archive', 'stop-archive', 'archive-only', 'unarchive'],
    ...['new-title', 'take-over', 'details', 'mute', 'unmute', 'tasks'],
    ...['try-again', 'list-stop', 'review', 'review-again', 'ask-for-changes', 'file'],
    'fix',
    'start-model',
  ],
  'task list': ['tasks-page', 'steps', 'steps-page'],
  task: ['task-messages', 'task-messages-page', 'follow-task'],
  send: [
    'check-again',
    'send-again',
    'send-now',
    'cancel',
    'unarchive-send',
    'send-held',
    'discard',
    'send-model',
    'send-without',
    'send-not',
  ],
  ping: ['answer', 'snooze', 'plan-go', 'plan-change', 'plan-drop'],
  'work budget': ['go-on'],
  'channel budget': ['raise-budget'],
  'offering ping': ['pick'],
  question: ['choose', 'choose-several', 'choose-other'],
  start: ['start-with', 'captain-model', 'captain-plain', 'captain-change'],
  offer: ['offer-start', 'offer-choose', 'start-without', 'start-not'],
  alias: ['alias-edit', 'alias-remove'],
  rule: ['rule-edit', 'rule-try', 'rule-on', 'rule-off', 'rule-delete'],
  alert: ['rule-start', 'rule-not'],
  announcement: ['follow-here', 'answer-watched', 'not-this-one'],
  connection: ['replace-key'],
  hook: [
    'hook-log',
    'hook-secret',
    'hook-revoke',
    'hook-disable',
    'hook-enable',
    'hook-delete',
    'hook-follow',
  ],
  delivery: ['hook-again', 'letter-again', 'letter-discard'],
  run: ['run-follow'],
  'open form': ['automation-fields'],
  none: [
    ...['audit-more', 'audit-export', 'list-more', 'ask-admin', 'connect', 'disconnect'],
    ...['filters-more', 'delete-filter', 'all-commands'],
    ...['hooks-more', 'hook-new', 'automations-more', 'automation-new', 'automation-details'],
    ...['letters', 'automation-follow', 'github-new'],
    ...['automation-enable', 'automation-disable', 'automation-delete', 'automation-restore'],
    ...['captain-more', 'captain-ask', 'captain-bring'],
    ...['find-more', 'find-follow', 'turn-page', 'usage-more', 'use-project'],
    ...['use-mine', 'use-none'],
    ...['models-more', 'alias-new', 'rules-more', 'rule-new'],
    ...['list-filter', 'home-new', 'home-dismiss'],
    ...['home-more', 'home-noise', 'home-dm', 'home-model', 'home-size'],
    ...['home-effort', 'home-modes', 'home-morning'],
    ...['digest-change', 'digest-off', 'digest-show'],
  ],
}

const SUBJECTS: ReadonlyMap<string, Subject> = new Map<string, Subject>([
  ...Object.entries(PRESSES_ON).flatMap(([subject, names]) =>
    names.map((name): [string, Subject] => [`press bosun:${name}`, subject as Subject]),
  ),
  ['message', 'thread'],
  ['message changed', 'thread'],
  ['message deleted', 'thread'],
  ['reaction octagonal_sign', 'thread'],
  // Its channel is that of the event: a message of another one cannot be meant.
  ['reaction ', 'none'],
  ['native stop', 'thread'],
  ['shortcut bosun:manage', 'thread'],
  ['shortcut bosun:send', 'none'],
  ['shortcut bosun:automate', 'none'],
  ['home opened', 'none'],
  ['messages opened', 'none'],
  ['form bosun:hook', 'none'],
  ['form bosun:github-hook', 'none'],
  ['form bosun:automation', 'none'],
  ['form bosun:automate', 'start'],
  ['form bosun:start-form', 'start'],
  ['form bosun:send-form', 'start'],
  ['form bosun:captain-form', 'start'],
  ['form bosun:captain-ask-form', 'start'],
  ['form bosun:answer', 'ping'],
  ['form bosun:plan-change', 'ping'],
  ['form bosun:choose-other', 'question'],
  ['form bosun:archive', 'link'],
  ['form bosun:alias', 'none'],
  ['form bosun:rule', 'none'],
  ['form bosun:digest', 'none'],
  ['form bosun:connect', 'none'],
  ['form bosun:connect-settings', 'connection'],
  ['form bosun:replace-key', 'connection'],
  ['form bosun:answer-watched', 'announcement'],
  ['form bosun:review-rule', 'none'],
  ['form bosun:ask-for-changes', 'link'],
  ['form bosun:file-form', 'link'],
])

/** What the ids in a deed are of. @throws for an act that nobody has said it of. */
export function subjectOf(event: string): Subject {
  if (event.startsWith('/')) return 'none'
  const subject = SUBJECTS.get(event)
  if (subject === undefined) throw new Error(`Say in matrix-deeds.ts what "${event}" is about.`)
  return subject
}

/** What Slack delivers for it. */
export function bodyOf(event: string, doing: Doing): Record<string, unknown> {
  const [kind, name] = event.startsWith('/') ? (['command', event] as const) : splitAt(event)
  switch (kind) {
    case 'press':
      return pressOf(event, name, doing)
    case 'form':
      return formOf(name, doing)
    case 'shortcut':
      return shortcutOf(name, doing)
    case 'command':
      return commandOf(name, doing)
    default:
      return eventBody(event, doing)
  }
}

function splitAt(event: string): [string, string] {
  const at = event.indexOf(' bosun:')
  return at < 0 ? [event, ''] : [event.slice(0, at), event.slice(at + 1)]
}

function who({team, user}: Doing): object {
  return {team: {id: team, domain: 'x'}, user: {id: user, team_id: team, username: 'x'}}
}

function valueOf(event: string, {about}: Doing): string {
  const {linkId, taskId, sendId, pingId, startId, announcementId, connectionId} = about
  const subject = subjectOf(event)
  switch (subject) {
    case 'link':
      return `${linkId}.0`
    case 'task list':
      return `${linkId}.0`
    case 'task':
      return `${linkId}.0.${taskId}`
    case 'send':
      return sendId
    case 'ping':
      return `${pingId}.1h`
    case 'offering ping':
      return `${pingId}.0`
    case 'question':
      return `${about.questionId}.0`
    case 'start':
      return `${startId} size=large`
    case 'offer':
      return startId
    case 'announcement':
      return announcementId
    case 'connection':
      return connectionId
    case 'alias':
      return about.alias
    case 'rule':
      return about.rule
    case 'alert':
      return about.alertId
    case 'hook':
      return `${about.hookId}.0`
    case 'work budget':
      return about.workNoteId
    case 'channel budget':
      return about.channelNoteId
    case 'delivery':
      return String(about.deliveryId)
    case 'run':
      return about.runId
    case 'thread':
    case 'open form':
    case 'none':
      if (event.endsWith('disconnect')) return 'channel.'
      return event.endsWith('list-more') ? 'here.9999999999999.z' : 'x'
    default:
      throw new Error(`Unknown subject: ${String(subject satisfies never)}`)
  }
}

function pressOf(event: string, actionId: string, doing: Doing): Record<string, unknown> {
  const {channel, slackThread, ordinal, about} = doing
  const isHome = actionId.startsWith('bosun:home-')
  const isView = ['task', 'task list', 'open form'].includes(subjectOf(event)) || isHome
  const view = {
    ...{id: `V${ordinal}`, hash: '1.a', callback_id: isHome ? HOME : 'bosun:tasks'},
    private_metadata: isHome ? '' : JSON.stringify({channel, slackThread}),
  }
  const isAnnouncement = subjectOf(event) === 'announcement'
  const ts = isAnnouncement ? about.announcementTs : `${ordinal}.000100`
  const inThread = subjectOf(event) === 'alert' ? about.alertTs : slackThread
  const message = {
    channel: {id: channel, name: 'x'},
    container: {
      ...{type: 'message', message_ts: ts, channel_id: channel},
      ...(!isAnnouncement && {thread_ts: inThread}),
    },
    message: {ts, ...(!isAnnouncement && {thread_ts: inThread})},
  }
  return {
    type: 'block_actions',
    ...who(doing),
    trigger_id: `t.${ordinal}`,
    state: {values: {boxes: {'bosun:ticks': ticked(about)}}},
    ...(isView ? {view, container: {type: 'view', view_id: view.id}} : message),
    actions: [
      {
        ...{type: 'button', action_id: actionId, block_id: 'b', value: valueOf(event, doing)},
        action_ts: `${ordinal}.000200`,
      },
    ],
  }
}

function ticked({questionId}: Subjects): object {
  return {type: 'checkboxes', selected_options: [{value: `${questionId}.0`}]}
}

function formOf(callbackId: string, doing: Doing): Record<string, unknown> {
  const {channel, slackThread, ordinal, about} = doing
  const {pingId, questionId, startId, announcementId, connectionId, linkId} = about
  const metadata = {
    ...{channel, slackThread, ping: pingId, start: startId, announcement: announcementId},
    question: questionId,
    ...{link: linkId, scope: 'channel', connectionId, connection: connectionId, sinceMs: 1},
  }
  const text = (value: string) => ({type: 'plain_text_input', value})
  const values = {
    answer: {answer: text('Yes.')},
    task: {task: text('do it')},
    change: {change: text('Less of it.')},
    text: {text: text('Yes.')},
    changes: {changes: text('Rename it.')},
    rule: {rule: text('Round once.')},
    scopes: {scopes: text('acme/web')},
    name: {name: text('cheap')},
    model: {model: text('small-model')},
    appId: {appId: text('A0SENTRY')},
    windowMinutes: {windowMinutes: text('60')},
    perHour: {perHour: text('5')},
    perDay: {perDay: text('20')},
  }
  return {
    type: 'view_submission',
    ...who(doing),
    view: {
      ...{id: `V${ordinal}`, hash: '1.a', callback_id: callbackId, type: 'modal'},
      private_metadata: JSON.stringify(metadata),
      state: {values},
    },
  }
}

function shortcutOf(callbackId: string, doing: Doing): Record<string, unknown> {
  const {channel, about, ordinal} = doing
  return {
    type: 'message_action',
    ...who(doing),
    callback_id: callbackId,
    channel: {id: channel, name: 'x'},
    message: {type: 'message', user: doing.user, ts: about.slackThread, text: 'Look at this'},
    trigger_id: `t.${ordinal}`,
    response_url: '',
  }
}

function commandOf(event: string, doing: Doing): Record<string, unknown> {
  const [command = '', ...words] = event.split(' ')
  const word = words.join(' ') === '' ? 'nonsense' : words.join(' ')
  return {
    ...{command, text: `${word} x`, team_id: doing.team, channel_id: doing.channel},
    ...{user_id: doing.user, trigger_id: `t.${doing.ordinal}`, response_url: ''},
  }
}

function eventBody(event: string, doing: Doing): Record<string, unknown> {
  const {team, user, channel, about, ordinal, botUserId} = doing
  const ts = `${1_800_000_000 + ordinal}.000100`
  const thread_ts = about.slackThread
  const bodies: Readonly<Record<string, object>> = {
    message: {
      ...{type: 'message', channel, channel_type: 'channel', user, ts, thread_ts},
      text: 'and add a test',
    },
    'message changed': {
      ...{type: 'message', subtype: 'message_changed', channel, ts, hidden: true},
      message: {type: 'message', user, ts: '1700000000.000900', thread_ts, text: 'other words'},
      previous_message: {user, ts: '1700000000.000900', thread_ts, text: 'words'},
    },
    'message deleted': {
      ...{type: 'message', subtype: 'message_deleted', channel, ts, hidden: true},
      deleted_ts: '1700000000.000900',
      previous_message: {type: 'message', user, ts: '1700000000.000900', thread_ts, text: 'words'},
    },
    'reaction octagonal_sign': {
      ...{type: 'reaction_added', user, reaction: 'octagonal_sign', event_ts: ts},
      item: {type: 'message', channel, ts: about.cardTs},
      item_user: botUserId,
    },
    'reaction ': {
      ...{type: 'reaction_added', user, reaction: 'robot_face', event_ts: ts},
      item: {type: 'message', channel, ts: about.messageTs ?? about.slackThread},
    },
    'native stop': {type: 'agent_session_stopped', user, channel, thread_ts, event_ts: ts},
    'home opened': {type: 'app_home_opened', user, tab: 'home', channel: 'D1', event_ts: ts},
    'messages opened': {
      ...{type: 'app_home_opened', user, tab: 'messages', channel: 'D1', event_ts: ts},
    },
  }
  const found = bodies[event]
  if (found === undefined) throw new Error(`Say in matrix-deeds.ts how "${event}" is delivered.`)
  return {
    ...{type: 'event_callback', team_id: team, event_id: `Ev${ordinal}`, event: found},
    authorizations: [{team_id: team, user_id: botUserId, is_bot: true}],
  }
}
