/** What people read of questions that are answered with buttons. Names and answers are drawn already. */
export const choiceTexts = {
  other: 'Other …',
  send: 'Send',
  choose: 'Choose …',
  nothing: 'Choose at least one, then press *Send*.',
  chose: (name: string, answer: string) => `✅ ${name} chose ${answer}`,
  wrote: (name: string) => `✅ ${name} answered:`,
  answered: '✅ Answered',
  unsent: (name: string | undefined) =>
    name === undefined
      ? '⚠️ The agent has not got an answer yet: its model cannot be used. Answer anew.'
      : `⚠️ The agent has not got ${name}’s answer: its model cannot be used. It goes once ${name} has chosen another one, unless somebody answers anew.`,

  first: (name: string, answer: string) => `${name} was first: ${answer}`,
  firstSilently: (name: string) => `${name} was first.`,
  mine: (answer: string) => `You have answered this: ${answer}`,
  over: 'This was answered already.',
  archived:
    '📦 This work is archived, so the agent did not get your answer. Unarchive it on its card, then press again.',
  ended: 'This work has ended, so no agent waits for this answer any more.',

  form: {
    title: 'Answer the agent',
    submit: 'Send',
    close: 'Back',
    label: 'Your answer',
    empty: 'Write an answer first.',
  },

  /** To the agent, above an answer: what it answers, since the agent may have asked more than one thing. */
  toQuestion: (question: string) => `Answer to “${question}”:`,
} as const
