/** What people read when they start work. */
export const startTexts = {
  emptyTask: 'Say what should be done after the options: *@Bosun project=web fix the login bug*.',
  chosen: 'This was already answered. Look for its card in the Slack thread.',
  tooOld: 'That question is too old. Mention me with the task again.',
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
      default:
        return `Slack does not let me write here (${code}), so I can’t start work. Try another channel.`
    }
  },
  startWithout: 'Start without it',
  chooseOne: 'Choose one',

  /** Words for an agent, said where there is none; `what` is one of the purposes below. */
  noAgent: (what: string) =>
    `No agent works here yet, so there is ${what}. Give me a task to start one.`,
  purposes: {
    stop: 'nothing to stop',
    mute: 'nothing to mute',
    unmute: 'nothing to unmute',
    interrupt: 'nothing to interrupt',
    steer: 'nothing to steer',
    aside: 'nobody to hide it from',
  },

  form: {
    title: 'Start work',
    titleSend: 'Send to Bosun',
    start: 'Start',
    send: 'Send',
    cancel: 'Cancel',
    task: 'What should be done?',
    tell: 'What should the agent do with it?',
    project: 'Project',
    model: 'Model',
    /** Where nothing is chosen. */
    usual: {
      project: 'The default here',
      model: 'The project’s own',
      effort: 'The model’s own',
      size: 'The project’s own',
    },
    to: (title: string) => `Goes to the agent of this Slack thread: *${title}*`,
    effort: 'Effort',
    size: 'Machine size',
    include: 'Send along',
    includeMessage: 'This message',
    includeThread: 'The whole Slack thread',
    empty: 'Say in a few words what should be done.',
    effortNeedsModel: 'An effort needs a model. Name one, or leave the effort empty.',
  },
} as const
