/** What admins read of who did what. */
export const auditTexts = {
  title: '*Who did what with Bosun*',
  none: 'Nobody has done anything with Bosun in this workspace yet.',
  noMore: 'That was all.',
  export: 'Export CSV',
  row: (time: string, who: string, did: string, where: string) =>
    [time, `${who} ${did}`, where].filter((part) => part !== '').join(' · '),
  refused: '⛔️ refused',
  about: (id: string) => `on ${id}`,
  in: (channel: string) => `in ${channel}`,
  /** In the place of a person who was forgotten. */
  nobody: 'somebody who was forgotten',
  /** Of a tool. */
  operator: 'whoever runs Bosun',
  file: 'bosun-audit.csv',
  sent: (count: number) =>
    `Here is who did what with Bosun in this workspace: ${count === 1 ? '1 entry' : `${count} entries`} as CSV.`,
  cut: (count: number) =>
    `Here are the newest ${count} entries of who did what with Bosun as CSV. Whoever runs Bosun gets all of them with *npm run audit*.`,
  notSent: (code: string) => `Slack did not accept the file (${code}). Please try again.`,
  sentWhere: 'I sent you the file as a direct message.',
  /** In the place of a person where a rule of a channel did it. */
  rule: 'a rule',
  /** And where nobody had asked for it. */
  nobodysWork: 'work that nobody asked for',
  /** And where a channel is set to have pull requests fixed. */
  fix: 'Bosun, as the channel is set,',
  /** By the beginning of an act's name; the rest of it is put behind. */
  acts: [
    ['message changed', 'edited a message'],
    ['message deleted', 'deleted a message'],
    ['message', 'wrote'],
    ['reaction ', 'reacted with'],
    ['native stop', 'pressed Slack’s stop button'],
    ['home opened', 'opened App Home'],
    ['shortcut bosun:', 'used the shortcut'],
    ['form bosun:', 'sent the form'],
    ['press bosun:', 'pressed'],
    // Of an app's message: what is to become of it.
    ['rule ', 'decided to'],
    // Of a pull request: what it waits for.
    ['fix ', 'told an agent by itself of'],
    ['config apply', 'set what a configuration file says'],
    // Whose work it was.
    ['budget ', 'was stopped by the budget'],
  ] as const,
  /** The one act whose name ends here: which emoji it is, is a setting. */
  reacted: 'put the emoji that starts work on a message',
  typed: 'typed',
} as const
