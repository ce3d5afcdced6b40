/** What stands in App Home. */
export const homeTexts = {
  needsYou: '🟠 Needs you',
  running: '🔵 Running',
  done: '⚪️ Done today',
  nothing: {
    needsYou: 'Nobody waits for you.',
    running: 'Nothing is running. Mention me in a channel with a task to start something.',
    done: 'Nothing yet.',
  },
  inDirect: 'in a direct message',
  inChannel: (channel: string) => `in ${channel}`,
  thread: 'Slack thread',
  more: (count: number) => `and ${count} more`,
  back: 'Back to the first',
  stop: 'Stop',

  mine: '⚙️ My defaults',
  model: 'Model, where the message names none',
  modelHint: 'the project’s own',
  size: '*Machine size*',
  standard: 'The project’s own',

  notify: '🔔 How I am notified',
  noise: '*What calls me*',
  noises: {quiet: 'Quiet', normal: 'Normal', verbose: 'Everything'},
  calling: {
    quiet: 'when work needs me or failed',
    normal: 'when work needs me, failed, is ready for review, or ends after more than a minute',
    verbose: 'when work needs me, failed, is ready for review, or ends',
  },
  dm: '*Also as a direct message*',
  dmYes: 'Yes',
  dmNo: 'No',

  platform: {
    as: (email: string) =>
      `✅ The agent platform knows you as ${email}: your work is yours there too.`,
    yes: '✅ Your work is yours on the agent platform too.',
    no: '⚠️ No platform user has your e-mail, so your work runs with the team’s key.',
    unknown: 'Whether the agent platform knows you is looked up when you start something.',
  },
} as const
