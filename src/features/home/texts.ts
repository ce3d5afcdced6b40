/** What stands in App Home. */
export const homeTexts = {
  /** What `help` says. */
  help: {},
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {},
  connection: {
    change: 'Change',
    headline: '🔑 This workspace',
    none: 'No key is chosen for the whole workspace.',
  },
  newTask: 'New task',
  dismiss: 'Dismiss',
  needsYou: '🟠 Needs you',
  running: '🔵 Running',
  done: '⚪️ Done today',
  nothing: {
    needsYou: 'Nobody is waiting for you.',
    running: 'Nothing is running. *New task* starts something; so does mentioning me in a channel.',
    done: 'Nothing yet.',
  },
  inDirect: 'in a direct message',
  inChannel: (channel: string) => `in ${channel}`,
  thread: 'Slack thread',
  more: (count: number) => `and ${count} more`,
  stop: 'Stop',

  mine: '⚙️ My defaults',
  model: '*Model* (if a message names none)',
  effort: '*Effort*',
  modes: '*Modes*',
  ofModel: 'The model’s own',
  /** `name` is drawn already; `undefined`: none is chosen. */
  project: (name: string | undefined) =>
    name === undefined
      ? 'No project of your own: `/bosun use` chooses one.'
      : `Your project is *${name}*: \`/bosun use\` changes that.`,
  channelFirst: 'What a channel has chosen goes before these.',
  size: '*Machine size*',
  standard: 'The project’s own',

  notify: '🔔 How I am notified',
  noise: '*When to mention me*',
  calling: {
    quiet: 'when work needs me or failed',
    normal: 'when work needs me, failed, is ready for review, or ends after more than a minute',
    verbose: 'when work needs me, failed, is ready for review, or ends',
  },
  dm: '*Also as a direct message*',
  morning: '*Every working morning at 9:00*\nwhat waits on me, as a direct message',
  dmYes: 'Yes',
  dmNo: 'No',

  platform: {
    as: (email: string) =>
      `✅ The agent platform knows you as ${email}: your work runs under your own name there.`,
    yes: '✅ Your work runs under your own name on the agent platform.',
    no: '⚠️ No platform user has your e-mail, so your work runs with the team’s key.',
    unknown: 'I’ll check whether the agent platform knows you when you start something.',
  },
} as const
