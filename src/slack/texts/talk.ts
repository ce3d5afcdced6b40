import type {Usage} from '../../agents/budgets/limits.ts'

import type {Question} from '../../agents/resolve-options.ts'
import type {NotPassed, Notes} from '../../store/tables/work/link.ts'
import {either} from './refusals.ts'
import {times} from './counts.ts'

const NOUNS: Readonly<Record<Question['name'], string>> = {
  project: 'project',
  repo: 'project with the repository',
  model: 'model',
  effort: 'effort',
  modes: 'mode',
  size: 'size',
  title: 'title',
  plan: 'plan',
}

/** What people read of messages to the agent, of stopping it, and of putting its work away. */
export const talkTexts = {
  taskList: {
    headline: '*Tasks of what runs here*',
    none: 'Nothing is running in this channel, so there are no tasks.',
    done: (done: number, total: number) => `${done} of ${total} tasks done`,
    failed: (count: number) => `${count} failed`,
    no: 'no tasks',
  },

  limit: ({scope, limit}: Usage, time: string): string => {
    const who = `An admin can change it: \`/bosun connect\`.`
    switch (scope) {
      case 'person-here':
        return `You have started work ${times(limit)} here in the last 24 hours, and this channel allows no more. The next one is possible ${time}. ${who}`
      case 'person-anywhere':
        return `You have started work ${times(limit)} in the last 24 hours, and this workspace allows no more. The next one is possible ${time}. ${who}`
      case 'channel':
        return `Work was started ${times(limit)} in this channel in the last 24 hours, and no more is allowed. The next one is possible ${time}. ${who}`
      default:
        throw new Error(`Unknown scope: ${String(scope satisfies never)}`)
    }
  },

  leak: {
    message:
      '🔑 There is a key or token in your message. I did not keep it and passed nothing on. Delete the message, and revoke the key where it was made: whoever has read it can use it.',
    command:
      '🔑 That looks like a key or token. I did not keep it. Revoke it where it was made and make a new one: keys are only typed into the form that `/bosun connect` opens.',
    form: '🔑 There is a key or token in what you entered. I did not keep it and passed nothing on. Revoke it where it was made if anybody else may have seen it.',
  },
  noises: {quiet: 'Quiet', normal: 'Normal', verbose: 'Everything'},
  slackBusy: 'Slack is not accepting my messages right now. I’ll keep trying, and nothing is lost.',
  notYourQuestion:
    'Only the person who asked for this work can choose here. Mention me with your own task.',

  /** To who asked an agent from elsewhere: its name, and where it answers, drawn. */
  asked: {
    sent: (name: string, where: string) => `Asked. *${name}* answers here: ${where}`,
    waiting: (name: string, where: string) =>
      `*${name}* is at work and gets this when that is done. It answers here: ${where}`,
    held: (name: string, where: string) =>
      `*${name}* was stopped, so this is held. Its Slack thread says what you can do: ${where}`,
    cancelled: (name: string, where: string) =>
      `This was cancelled before *${name}* got it: ${where}`,
    unsure: (name: string, where: string) =>
      `I am not sure that *${name}* got this. Its Slack thread says what you can do: ${where}`,
  },

  /** `wrong` and the labels are drawn already. */
  question: ({name, why, isNear}: Question, wrong: string, labels: readonly string[]): string => {
    if (why === 'needs-model') {
      const what = name === 'modes' ? 'the modes' : 'the effort'
      return `\`${name}=\` needs a \`model=\` as well. Name a model, or start without ${what}.`
    }
    if (why === 'none') {
      return 'Which project should I use for you? I’ll remember it: `/bosun use` changes it. For another one, put *project=…* before a task.'
    }
    if (why === 'several') return `More than one project fits *${wrong}*. Which one is it?`
    if (name === 'plan') {
      return `*plan=* is *yes* or *no*, not *${wrong}*. Shall the agent make a plan first?`
    }
    const isOfFew = name === 'effort' || name === 'modes' || name === 'size'
    if (isOfFew && isNear !== true) {
      return `No ${NOUNS[name]} *${wrong}*. Choose ${either(labels.map((label) => `*${label}*`))}.`
    }
    if (labels.length === 0) {
      return `No ${NOUNS[name]} *${wrong}*. I can’t reach any project ${name === 'repo' ? 'that holds it' : 'of that name'}.`
    }
    return `No ${NOUNS[name]} *${wrong}*. Did you mean ${either(labels.map((label) => `*${label}*`))}?`
  },

  notes: (notes: Notes): string[] => {
    const {read = 0, unread, passed = [], notPassed = [], byKey} = notes
    const files = [
      ...(passed.length === 0 ? [] : [`Passed: ${passed.join(', ')}.`]),
      ...(notPassed.length === 0 ? [] : [notPassedText(notPassed)]),
    ]
    return [
      ...(read === 0 ? [] : [`Read ${read} earlier ${read === 1 ? 'message' : 'messages'}`]),
      ...(unread === true ? ['The earlier messages could not be read'] : []),
      ...(files.length === 0 ? [] : [files.join(' ')]),
      ...(byKey === undefined ? [] : [byKeyText(byKey)]),
    ]
  },

  waiting: {
    headline: '⏳ *Waiting for the agent’s current work to end*',
    row: (words: string, name: string) => `“${words}” · ${name}`,
    more: (count: number) => `and ${count} more`,
    sendNow: 'Send now',
    cancel: 'Cancel',
    beingSent: 'It is being sent to the agent right now.',
    alreadyDelivered: 'Already delivered: the agent has this message.',
    alreadyCancelled: 'This message was already cancelled.',
    notYours: (sender: string, starter: string) =>
      sender === starter
        ? `Only ${sender}, who wrote this message and started the work, or an admin can do that.`
        : `Only ${sender}, who wrote this message, ${starter}, who started the work, or an admin can do that.`,
    heldNow: 'The work was stopped, so this message is held. Press Send on it to let it go.',
  },

  held: {
    headline: '⏸ *Held: not sent*',
    send: 'Send',
    discard: 'Discard',
    past: 'That message is no longer held.',
  },

  archived: {
    kept: '📦 This work is archived, so the agent did not get your message.',
    unarchiveAndSend: 'Unarchive and send',
    expired: 'That was more than a day ago, so I did not send it. Please write it again.',
    past: 'That message is no longer waiting to be sent.',
  },

  atRest: 'It is not working right now, so there is nothing to stop.',

  menu: {
    archive: 'Archive',
    unarchive: 'Unarchive',
    newTitle: 'New title',
    tasks: 'Tasks',
    file: 'File in a folder',
    details: 'Details',
    mute: 'Mute here',
    unmute: 'Unmute',
    isMuted: '🔇 muted: only mentions of me go to the agent',
  },
} as const

/** What could not go along, and why. */
function notPassedText(files: readonly NotPassed[]): string {
  return `Not passed: ${files.map((file) => `${file.name} (${whyText(file)})`).join(', ')}.`
}

/** The same as a question: a sentence for each. The names are drawn already. */
export function leftOutText(files: readonly NotPassed[]): string {
  return files
    .map((file) => {
      const {name, why} = file
      return why === 'unreadable'
        ? `Slack did not let me read ${name}.`
        : `${name} is ${whyText(file)}.`
    })
    .join(' ')
}

function whyText({why, limit}: NotPassed): string {
  switch (why) {
    case 'huge':
      return `over ${limit ?? 50} MB`
    case 'too-many':
      return `beyond the first ${limit ?? 20} files`
    case 'too-large':
      return 'over 100 kB'
    case 'no-text':
      return 'not a text file'
    case 'unreadable':
      return 'Slack did not let me read it'
    default:
      throw new Error(`Unknown reason: ${String(why satisfies never)}`)
  }
}

function byKeyText(why: NonNullable<Notes['byKey']>): string {
  switch (why) {
    case 'nobody':
      return "Started with the team's key: no platform user has your e-mail"
    case 'unread':
      return "Started with the team's key: your e-mail could not be looked up"
    case 'left':
      return "Started with the team's key: your platform user is no longer active"
    default:
      throw new Error(`Unknown reason: ${String(why satisfies never)}`)
  }
}
