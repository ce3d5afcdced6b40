import type {Declined} from '../agents/lifecycle.ts'
import {BARRED} from '../once/slack-error.ts'
import {MACHINE_SIZES, isWorking} from '../platform/model.ts'
import {shownStatus} from '../platform/shown-status.ts'
import type {Link, CardNotice} from '../store/tables/work/link.ts'
import {budgetTexts} from './texts/budgets.ts'
import {choiceTexts} from './texts/choices.ts'
import {commandTexts} from './texts/help-and-lists.ts'
import {doctorTexts} from './doctor/texts.ts'
import {modelTexts} from './texts/models.ts'
import {notificationTexts} from './texts/notifications.ts'
import {pullRequestTexts} from './texts/pull-requests.ts'
import {quotingTexts} from './texts/quoting.ts'
import {either, refusalTexts} from './texts/refusals.ts'
import {talkTexts} from './texts/talk.ts'
import {taskTexts} from './texts/tasks.ts'
import type {StoredConnection} from '../store/tables/platform-keys.ts'
import {ownOf} from '../security/foreign-json.ts'

/**
 * Everything that people read, so that the voice stays one. In it "the agent" or "this work" is what
 * the code calls a thread: to a reader a thread is Slack's.
 */
export const texts = {
  ...refusalTexts,
  platformSilent:
    'The agent platform does not answer. I’ll keep trying, and nothing you wrote is lost.',
  stillStarting: 'The agent is still starting. It gets your message once it has started.',
  somethingBroke: 'Something went wrong on my side. Please try again.',
  tooLateToOpen: 'That took too long, and Slack no longer lets me open it. Please try again.',
  /** Stands where a secret was in what others wrote. No longer than the shortest part of one that is taken out. */
  secretMark: '[removed]',
  /** A user group whose name Slack does not tell. */
  group: '@group',
  privateChannel: 'a private channel',
  keyOfEnvironment: 'The one Bosun was started with',

  talk: talkTexts,
  models: modelTexts,
  /** The message that a Slack thread of work hangs on, where nobody else wrote one. */
  heads: {
    captain: (name: string, asker: string) => `👤 *${name}* · asked by ${asker}`,

    review: (pr: string, at: string, name: string) => `🔍 Reviewing ${pr}${at} · asked by ${name}`,
    doneReview: (pr: string, at: string, name: string) =>
      `🔍 Review of ${pr}${at} · asked by ${name}`,
    pastReview: (pr: string, at: string, name: string) =>
      `🔍 Review of ${pr}${at} · brought here for ${name}`,
    atCommit: (commit: string) => ` at ${commit}`,
    /** The first message of a room. */
    room: (title: string, name: string, origin: string) =>
      `🚪 *${title}* of ${origin} goes on here · opened by ${name}. What you write here goes to the agent; no mention needed.`,
    /** The same where its channel is set so. */
    roomByItself: (title: string, origin: string) =>
      `🚪 *${title}* of ${origin} goes on here, as that channel is set. What you write here goes to the agent; no mention needed.`,
    /** The message that work hangs on which was not asked for in a Slack thread. */
    askedFor: (name: string, task: string) => `${name} asked for: ${task}`,
    /** In the place of a name. */
    workflow: 'A workflow',
  },
  pullRequests: pullRequestTexts,
  quoting: quotingTexts,
  /** What people read where the channel is connected to nothing. */
  unconnected: {
    title: 'Connect',
    close: 'Close',
    cancel: 'Cancel',

    unbound: 'This channel is not connected to a project yet.',
    nameOne: 'Name one: *@Bosun project=… your task*, or choose yours: `/bosun use`.',
    connect: 'Connect',
    askAdmin: 'Ask an admin',
    whoCan: (admins: readonly string[]) => `${either(admins)} can connect it.`,
  },
  /** Of a form that stays open. */
  newAutomation: 'New automation',
  commands: commandTexts,
  doctor: doctorTexts,
  tasks: taskTexts,

  card: {
    starting: '⏳ Starting…',
    untitled: 'New work',
    askedBy: (name: string) => `asked by ${name}`,
    byRule: (name: string) => `started by the rule ${name}`,
    byWorkflow: 'started by a workflow',
    ofRule: (name: string) => `rule ${name}`,
    followedBy: (name: string) => `followed by ${name}`,
    since: (time: string) => `since ${time}`,
    costUnknown: 'cost unknown',
    costUnlimited: 'cost unlimited',
    pullRequest: (number: string, host: string) =>
      host === 'github.com' ? `PR #${number}` : `PR #${number} on ${host}`,
    earlier: (count: number) =>
      `begins after ${count === 1 ? '1 earlier message' : `${count} earlier messages`}`,
    goesOn: (room: string) => `🚪 Goes on in ${room}`,
    steps: (count: number) => (count === 1 ? '1 step' : `${count} steps`),
    stoppedBy: (name: string) => `⏹ Stopped by ${name}`,
    stopped: '⏹ Stopped',
    gone: '⚪️ Gone',
    disconnected: '⚪️ Disconnected',
    unfollowed: '⚪️ No longer followed',
    stopping: '⏹ Stopping…',
    stop: 'Stop',
    open: 'Open',
  },

  say: {
    interrupted: '⏹ Stopped before it was finished. The agent does not remember this text.',
    putAway: '📦 Archived before it was finished: the rest comes once it is unarchived.',
    again: 'Posted again, because the first message was deleted or could no longer be changed.',
    continues: '⤵ The rest of this reply stands below.',
    endsHere:
      '⤵ This reply goes on, but it is too long for messages, and Slack takes no files from me. The rest is where the agent runs; an admin can allow me files.',
    file: '📄 The rest of the reply',
    fileName: 'reply.md',
    canvas: 'Open it as a canvas',
    canvasTitle: 'The rest of the reply',
    attachments: (count: number, names: string) => {
      const counted = count === 1 ? '📎 1 attachment' : `📎 ${count} attachments`
      return names === '' ? counted : `${counted}: ${names}`
    },
  },

  quote: {from: (author: string) => `💬 ${author} wrote to the agent`, somebody: 'Somebody'},

  blockedHere: 'our direct messages',
  /** Told to whoever asked for the work, since it can't be said where the work is. */
  blocked: (channel: string, code: string) => {
    const goesOn = 'The agent keeps working, and nothing it says is lost.'
    switch (code) {
      case 'not_in_channel':
      case 'channel_not_found':
        return `I am no longer in ${channel}, so I can’t show your work there. ${goesOn} Invite me again with */invite @Bosun* and I’ll catch up.`
      case 'is_archived':
      case 'channel_is_archived':
        return `${channel} is archived, so I can’t show your work there. ${goesOn} When the channel is back, I’ll catch up.`
      case BARRED:
        return `People of another company read ${channel} now, so I show nothing there until an admin allows it: \`/bosun connect\` there, then *Save*. ${goesOn}`
      case 'thread_not_found':
      case 'message_not_found':
      case 'invalid_thread_ts':
        return `The message in ${channel} that your work stands below is gone, so I can’t show it there any more. ${goesOn} \`/bosun mine\` lists it.`
      case 'cannot_reply_to_message':
      case 'restricted_action_thread_locked':
      case 'thread_locked':
        return `Slack lets nobody reply any more where your work stands in ${channel}, so I can’t show it there. ${goesOn} Once replies are allowed there again, I’ll catch up.`
      default:
        return `Slack does not let me write in ${channel} (${code}), so I can’t show your work there. ${goesOn} Once an admin lets me write, I’ll catch up.`
    }
  },

  /** What code on an agent's machine wanted to show, told likewise. */
  postRefused: (work: string | undefined, channel: string, code: string) =>
    `⚠️ Slack refused a post from the machine of ${work ?? 'your work'} in ${channel} (${code}). Anything missing there is lost unless the agent sends it again.`,

  notifications: notificationTexts,
  choices: choiceTexts,

  unsure: {
    headline: '⚠️ *Not sure this arrived*',
    explanation: 'The agent platform did not answer in time.',
    checkAgain: 'Check again',
    sendAgain: 'Send again',
    stillUnsure:
      'I still can’t find it. It may be waiting for the agent’s current work to end; *Send again* may send it twice.',
  },
} as const

/** The platform's states in both vocabularies (section 3.1); what is not listed is shown as it comes. */
const STATES: Readonly<Record<string, string>> = {
  active: '🔵 Working',
  working: '🔵 Working',
  waiting: '🟡 Waiting',
  pending_user: '🟠 *Needs you*',
  ready_for_review: '🟢 Ready for review',
  idle: '⚪️ Done',
  // A task's.
  done: '⚪️ Done',
  failed: '🔴 Failed',
  error: '🔴 Failed',
  archived: '📦 Archived',
}

export function stateText(status: string): string {
  return ownOf(STATES, status) ?? status
}

/**
 * How work stands, whoever asks and wherever: what the card says, in the fewest words. By whom it was stopped is said where
 * their name is at hand, drawn already.
 */
export function workText(
  link: Pick<Link, 'state' | 'status' | 'needsYou' | 'notice' | 'stoppedBy'>,
  stopper?: string,
): string {
  const {state, status, stoppedBy} = link
  const stopped = stopper === undefined ? texts.card.stopped : texts.card.stoppedBy(stopper)
  switch (state) {
    case 'starting':
      return texts.card.starting
    case 'archived':
      return stateText(state)
    case 'ended':
      return stoppedBy === undefined ? endedText(link) : stopped
    case 'open': {
      const shown = shownStatus(link) ?? 'active'
      if (isStopped({status: shown, stoppedBy})) return stopped
      // What a stop has not reached yet.
      const isStopping = stoppedBy !== undefined && shown === status && isWorking(shown)
      return isStopping ? texts.card.stopping : stateText(shown)
    }
    default:
      throw new Error(`Unknown state: ${String(state satisfies never)}`)
  }
}

/** The same of a thread that has no link where it is shown; `stoppedBy`: of one that it has elsewhere. */
export function threadText(thread: ThreadState, stoppedBy: string | undefined): string {
  const status = shownStatus(thread)
  return isStopped({status, stoppedBy}) ? texts.card.stopped : stateText(status)
}

type ThreadState = {status: string; needsYou?: boolean | undefined; archived?: boolean}

/** Whether what a state alone would call done came to rest since somebody stopped it. */
export function isStopped({
  status,
  stoppedBy,
}: {
  status: string | undefined
  stoppedBy: string | undefined
}): boolean {
  return status === 'idle' && stoppedBy !== undefined
}

/** Of work that is over for good: done, stopped before it began, gone, or not begun at all. */
export function endedText({status, notice}: Pick<Link, 'status' | 'notice'>): string {
  if (status === 'done' || status === 'archived') return stateText(status)
  if (notice?.code === 'stopped-early') return texts.card.stopped
  if (notice?.code === 'disconnected') return texts.card.disconnected
  if (notice?.code === 'uninstalled' || notice?.code === 'misplaced') return texts.card.unfollowed
  return notice?.code === 'gone' ? texts.card.gone : stateText('failed')
}

/** Tags of refusals (section 7) that come without words of their own. */
const REASONS: Readonly<Record<string, (...facts: readonly (string | undefined)[]) => string>> = {
  ProjectNotFound: () => 'the project does not exist, or my key can’t reach it.',
  ThreadNotFound: () => 'this work no longer exists.',
  PaidFeatureUnavailable: (feature) => {
    if (MACHINE_SIZES.some((size) => size === feature)) {
      return `the plan does not include size *${feature}*. Mention me again with another \`size=\`.`
    }
    return 'this needs a feature that the plan does not include.'
  },
  'ModelSelection.Rejected': (model, usable) => {
    const which = model ? `the model *${model}*` : 'that model'
    if (usable === undefined)
      return `${which} cannot be used. Mention me again with another \`model=\`.`
    return `${which} cannot be used; these can: ${usable}.`
  },
  InvalidRequest: () => 'it rejected part of the request without saying which.',
  Conflict: () => 'that no longer fits the state of this work.',
  Forbidden: () => 'my key has no access to this. Whoever runs Bosun has to give it access.',
}

function reasonText(reason: string | undefined): string {
  if (reason === undefined) return 'it gave no reason.'
  const [tag = '', ...facts] = reason.split('\n')
  return ownOf(REASONS, /^\w+\/([\w.]+)$/.exec(tag)?.[1] ?? '')?.(...facts) ?? reason
}

export function cardNoticeText({code, detail, rejected}: CardNotice): string {
  switch (code) {
    case 'unreachable':
      return '⚠️ The agent platform does not answer. I’ll keep trying, and continue by myself when it is back.'
    case 'key-refused':
      return '⚠️ The agent platform no longer accepts the key of this work. Once it is replaced, I’ll continue where I left off. `/bosun channel` says which key it is.'
    case 'not-begun':
      return '⚠️ This has not begun: the agent platform does not accept the key of this channel. `/bosun channel` says which one it is. Press *Try again* once an admin has replaced it; if the channel gets a different key, mention me again.'
    case 'given-up':
      return '⚠️ This has not begun, and I have given up on it. Press *Try again* to start it after all.'
    case 'disconnected':
      return '⚠️ The key of this work was disconnected. The agent keeps running, but what it says is no longer shown here.'
    case 'gone':
      return '⚠️ This work is no longer on the agent platform.'
    case 'misplaced':
      return '🔒 This work was begun in a place that is not open to everyone, so nothing more of it is shown here.'
    case 'refused':
      return `⚠️ The agent platform declined: ${reasonText(detail)}`
    case 'model-rejected': {
      const model = detail ?? rejected?.modelId
      return `⚠️ ${model === undefined ? texts.models.rejectedSome : texts.models.rejected(model)}`
    }
    case 'stopped-early':
      return 'Stopped before it began.'
    case 'no-place':
      return `⚠️ Slack did not let me write here (${detail ?? 'it did not say why'}). I am catching up.`
    case 'uninstalled':
      return 'Bosun was removed from this workspace, and shows nothing more of this work. It may continue on the agent platform.'
    default:
      throw new Error(`Unknown notice: ${String(code satisfies never)}`)
  }
}

export function declinedText(declined: Declined): string {
  switch (declined.why) {
    case 'key-refused':
      return 'The agent platform no longer accepts the key of this channel. `/bosun channel` says which one it is; ask an admin to replace it.'
    case 'not-running':
      return 'No agent is working here any more. Where its card has *Try again*, that starts it again; so does a task for me outside this Slack thread.'
    case 'at-rest':
      return texts.talk.atRest
    case 'gone':
      return 'This work is no longer on the agent platform. Give me the task again outside this Slack thread.'
    case 'shared':
      return texts.commands.follow.shared
    case 'refused':
      return `The agent platform declined: ${reasonText(declined.detail)}`
    case 'model-rejected': {
      const {modelId} = declined.rejected
      return modelId === undefined ? texts.models.rejectedSome : texts.models.rejected(modelId)
    }
    case 'spent':
      return budgetTexts.refused(declined.note, budgetTexts.starter)
    default:
      throw new Error(`Unknown reason: ${JSON.stringify(declined satisfies never)}`)
  }
}

/** What a key is called: never more of it than its end. `undefined`: the one of the environment. */
export function keyName(connection: Pick<StoredConnection, 'label' | 'last4'> | undefined): string {
  if (connection === undefined) return texts.keyOfEnvironment
  return `${connection.label} · …${connection.last4}`
}
