/** The card of a pull request. */
export const pullRequestTexts = {
  onHost: (link: string, host: string) => `${link} on ${host}`,
  card: (pr: string) => `🔀 Pull request ${pr}`,
  review: 'Review',
  askForChanges: 'Ask for changes',
  fix: 'Let the agent fix it',

  /** How it stands, as its code host says. */
  stages: {draft: 'Draft', open: 'Open', merged: '🟣 Merged', closed: '⚪️ Closed'},
  /** `names`: in bold, or not, as they are put together. */
  failed: (names: string) => `❌ ${names} failed`,
  running: (count: number, all: number) =>
    `⏳ ${count} of ${all} ${all === 1 ? 'check' : 'checks'} running`,
  passed: (count: number) => `✅ ${count} ${count === 1 ? 'check' : 'checks'}`,
  passedSome: (count: number) => `${count} of many checks passed`,
  conflicts: '⚠️ conflicts with its base',
  approved: (names: string) => `approved by ${names}`,
  wantsChanges: (names: string, count: number) =>
    `${names} ${count === 1 ? 'wants' : 'want'} changes`,
  andMore: (names: string, count: number) => `${names} and ${count} more`,
  toldAgent: '🛠️ The agent was told',
  tried: (times: number) => `The agent has tried ${times} times`,
  /** The same among the facts of a piece of work. */
  brief: {
    merged: '🟣 merged',
    closed: '⚪️ closed',
    draft: 'draft',
    open: 'open',
    failed: '❌ checks failed',
    conflicts: '⚠️ conflicts',
    running: '⏳ checks running',
    changes: 'changes wanted',
    passed: '✅ checks passed',
  },

  named: {
    unlike: (said: string) =>
      `\`${said}\` doesn’t look like a pull request. Name it by its web address, or as \`owner/repo#12\`: \`/review acme/web#12\`.`,
    noNumber: (repo: string) => `Which pull request of *${repo}*? Say \`/review ${repo}#12\`.`,
    noRepo: (number: number) => `Of which repository? Say \`/review owner/repo#${number}\`.`,
    range: (repo: string) =>
      `No pull request has that number. Numbers begin with 1: \`/review ${repo}#12\`.`,
    behind: (said: string, pr: string) =>
      `I don’t know what \`${said}\` means after a pull request. Only \`force\` can follow: \`/review ${pr} force\` reviews the same commit again.`,
    word: 'Say which pull request: `!review owner/repo#12`. Once the agent has named one, `!review` alone is enough.',
    noAgent:
      'To have a pull request reviewed here, use the command `/review owner/repo#12` in the channel.',
  },
} as const
