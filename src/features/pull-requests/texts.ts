/** What people and agents read of pull requests that wait for something. */
export const fixTexts = {
  nothing: 'There is nothing left to fix, or the agent was told already.',
  /** The agent reads these. `address`: of the pull request. */
  message: {
    checks: (address: string, commit: string, failed: readonly string[]) =>
      [
        `About the pull request ${address}: these checks failed at ${commit}.`,
        ...failed,
        'Find out why, fix it, and push.',
      ].join('\n'),
    conflicts: (address: string) =>
      `About the pull request ${address}: it conflicts with its base branch. Bring it up to date, solve the conflicts, and push.`,
    changes: (address: string, asked: readonly string[]) =>
      [
        `About the pull request ${address}: its reviewers want changes.`,
        ...asked,
        'Read what they say, do it, and push.',
      ].join('\n'),
    /** The name is a stranger's, who may have opened the pull request from a fork. */
    line: (name: string, url: string) => `- “${name}”${url === '' ? '' : `: ${url}`}`,
    more: (count: number) => `- and ${count} more`,
  },
} as const
