import {BARRED} from '../../once/slack-error.ts'

/** What people read when they start work. */
export const startTexts = {
  inRoom:
    'This channel is the room of one piece of work: what you write here goes to its agent. Ask for new work elsewhere.',
  emptyTask: 'Say what should be done after the options: *@Bosun project=web fix the login bug*.',
  chosen: 'This was already answered. Look for its card in the Slack thread.',
  tooOld: 'That is not asked any more. Mention me with the task again.',
  taken: 'An agent is already working in this Slack thread. Reply there to tell it more.',
  tooLongForForm:
    'That is too long for a form. Mention me with it in the channel: *@Bosun your task*.',
  cannotWrite: (code: string): string => {
    switch (code) {
      case 'not_in_channel':
      case 'channel_not_found':
        return 'I am not in this channel, so I can’t start work here. Invite me with */invite @Bosun* and try again.'
      case 'is_archived':
        return 'This channel is archived, so I can’t start work here.'
      case BARRED:
        return 'People of another company read this channel now, so I start nothing here until an admin allows it: `/bosun connect`, then *Save*.'
      default:
        return `Slack does not let me write here (${code}), so I can’t start work. Try another channel.`
    }
  },
  startWithout: 'Start without it',

  /** Of what was asked for with files that can't go along; nothing has begun yet. */
  without: {
    goOn: (count: number) => (count === 1 ? 'Go on without it' : 'Go on without them'),
    cancel: 'Cancel',
    goesAlong: (names: string) => `${names} can go along.`,
    notStarted: 'Not started. Mention me again when you want to.',
    notSent: 'Not sent.',
    nothingSent: 'There is nothing else in your message, so nothing was sent.',
    tooOld: 'That was more than a day ago, so I did not send it. Please write it again.',
  },

  /** What is offered to whoever typed a task behind `/bosun`, or put our emoji on a message. */
  offer: {
    noCommand: 'That is no command. Start it as a task?',
    message: 'Start work from this message?',
    atWork: (title: string) => `*${title}* works here. Tell it of this message?`,
    start: 'Start',
    choose: 'Choose…',
    tell: 'Tell it…',
    /** To the agent, above the message. */
    task: 'Look at the Slack message below, and do what it takes.',
    gone: 'That message is gone, so nothing was started from it.',
    begun: (where: string) => `This was started already: ${where}`,
  },
  chooseOne: 'Choose one',

  /** Words for an agent, said in a Slack thread without one; `what` is one of the purposes below. */
  noAgent: (what: string) =>
    `No agent works in this Slack thread, so there is ${what}. Reply where one works, or give me a task to start one.`,
  purposes: {
    mute: 'nothing to mute',
    unmute: 'nothing to unmute',
    interrupt: 'nothing to interrupt',
    steer: 'nothing to steer',
    aside: 'nobody to hide it from',
    model: 'nothing to switch to another model yet: *model=best* before a task starts it with one',
  },

  form: {
    title: 'Start work',
    titleSend: 'Send to Bosun',
    loading: 'Loading…',
    notShown: 'I could not show this form. Close it and try again.',
    gone: 'That message is gone, so there is nothing to start from.',
    inDirect:
      'The work begins in your direct messages with me. For a channel, mention me there with the task.',
    outside: (where: string) =>
      `I am not in ${where}, so nothing can begin there yet. Invite me with */invite @Bosun*, then try again.`,
    between:
      'I am not in this conversation, and nobody can invite me to it. Write to me directly, or use this in a channel.',
    unconnected:
      'I am not connected to a project here yet, so nothing can begin. An admin of this workspace can do that: `/bosun connect`.',
    notForYou:
      'You can’t give me tasks here. Ask somebody who can, or an admin to let you: `/bosun connect`.',
    start: 'Start',
    send: 'Send',
    cancel: 'Cancel',
    task: 'What should be done?',
    tell: 'What should the agent do with it?',
    project: 'Project',
    /** Where nothing is chosen. */
    usual: {
      project: 'The default here',
      model: 'The project’s own',
      effort: 'The model’s own',
      size: 'The project’s own',
    },
    to: (title: string) => `Goes to the agent that works here: *${title}*`,
    size: 'Machine size',
    plan: 'Before it changes anything',
    planFirst: 'Make a plan, and wait for a go-ahead',
    include: 'Send along',
    includeMessage: 'This message',
    includeThread: 'The whole Slack thread',
    /** Where the form has closed, and nothing began. */
    entered: (quote: string) => `You wrote:\n${quote}`,
    empty: 'Say in a few words what should be done.',
  },
} as const
