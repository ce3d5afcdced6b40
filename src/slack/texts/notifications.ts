/** What people read when they are called, and when they answer. `who` is a mention or a name, ready to be shown. */
export const notificationTexts = {
  asksYou: (who: string) => `🟠 ${who}, *the agent asks you*`,
  /** The question follows. */
  asks: (who: string) => `🟠 ${who}, *the agent asks:*`,
  stillAsksYou: (who: string) => `⏰ ${who}, *the agent still asks you*`,
  stillAsks: (who: string) => `⏰ ${who}, *the agent still asks:*`,
  plan: {
    ready: (who: string) => `📝 ${who}, *the plan is ready*`,
    stillReady: (who: string) => `⏰ ${who}, *the plan still waits for you*`,
    goAhead: 'Go ahead',
    change: 'Change …',
    drop: 'Drop it',
    dropConfirm: {
      title: 'Drop this work?',
      text: 'It is stopped and archived. Unarchive on its card brings it back.',
      confirm: 'Drop it',
      deny: 'Back',
    },
    dropped: 'Dropped it: the work is archived.',
    form: {
      title: 'Change the plan',
      submit: 'Send',
      close: 'Back',
      label: 'What is to be different?',
      empty: 'Write what is to be different.',
    },
  },
  review: (who: string) => `🟢 ${who}, this is ready for your review`,
  /** `why`: in the platform’s words. */
  failed: (who: string, why: string) => `🔴 ${who}, this failed: ${why}`,
  failedAt: (who: string, step: string) => `🔴 ${who}, this failed. Its last step: ${step}`,
  failedSilently: (who: string) => `🔴 ${who}, this failed. The agent platform doesn’t say why.`,
  done: (who: string, ran: string) => `${who} done in ${ran}`,
  duration: (ms: number) => {
    const minutes = Math.round(ms / 60_000)
    if (ms < 60_000) return `${Math.round(ms / 1000)} s`
    if (minutes < 60) return `${minutes} m`
    return minutes % 60 === 0
      ? `${minutes / 60} h`
      : `${Math.floor(minutes / 60)} h ${minutes % 60} m`
  },
  answeredBy: (name: string) => `✅ Answered by ${name}`,
  answered: '✅ Answered',
  over: 'This no longer needs an answer.',
  reviewOver: 'This no longer waits for a review.',
  failedOnly: 'It failed.',
  wentOn: 'It failed, and went on after that.',
  wentOnBy: (name: string) => `It failed, and ${name} got it going again.`,

  answer: 'Answer',
  tryAgain: 'Try again',
  snooze: {
    label: 'Snooze',
    hour: '1 hour',
    fourHours: '4 hours',
    tomorrow: 'Tomorrow 9:00',
    silence: 'Until I come back to it',
    until: (time: string) => `I’ll remind you ${time}.`,
    silent: 'I won’t remind you of this again.',
    notYours: 'Only the person who is mentioned can snooze this.',
  },

  form: {
    title: 'Answer the agent',
    submit: 'Send',
    close: 'Back',
    noQuestion: 'The agent is waiting for your answer. Its question is in the Slack thread.',
    label: 'Your answer',
    empty: 'Write an answer first.',
    alreadyAnswered:
      'Somebody answered before you. Yours went to the agent as a message after that.',
    notSent: (why: string, said: string) => `${why}\nThis was not sent:\n${said}`,
  },

  again: {
    message: 'The last run failed. Please try again.',
    notFailed: 'This is no longer failed. Its card shows its state.',
    unknown: 'I do not know what this was started with. Mention me in the channel to start again.',
  },

  dm: {
    needsYou: (where: string) => `🟠 An agent needs your answer ${where}`,
    review: (where: string) => `🟢 Work is ready for your review ${where}`,
    failed: (where: string) => `🔴 Your work failed ${where}`,
    done: (where: string) => `⚪️ Your work is done ${where}`,
    in: (channel: string) => `in ${channel}`,
    open: (url: string) => `<${url}|Open it>`,
  },
} as const
