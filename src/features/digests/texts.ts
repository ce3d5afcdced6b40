import type {Section} from './sections.ts'

/** What people read of digests. Names, titles and addresses come drawn. */
export const digestTexts = {
  /** What `help` says. */
  help: {'/bosun': ['`/bosun digest` what was done here, what waits for whom, every day or week']},
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun digest':
      'Whether the channel is told every day, working day or week what was done in it, what waits for whom and what it cost, and when; [Show now] shows it to you alone. Admins have [Set it up], [Change] and [Turn off]. [digests.md](digests.md) says more.',
  },

  standing: {
    none: 'This channel gets no digest.',
    /** `when`: `every day at 09:00 (Europe/Berlin)`. */
    on: (when: string, next: string) => `📋 This channel gets a digest ${when}. The next: ${next}.`,
    refused: (code: string) =>
      `⚠️ Slack did not take the last one (${code}). Is the channel archived, or am I not in it? */invite @Bosun* brings me back, and the next one comes at its time.`,
    ask: 'An admin can change that here.',
    setUp: 'Set it up',
    change: 'Change',
    off: 'Turn off',
    show: 'Show now',
  },
  isOff: '✅ This channel gets no digest any more.',
  wasOff: 'This channel gets no digest.',
  saved: (when: string, next: string) =>
    `✅ This channel gets a digest ${when}. The first: ${next}.`,
  stale:
    'Somebody changed the digest of this channel meanwhile, so nothing of yours was saved. `/bosun digest` shows how it is now.',
  direct:
    'This is for channels. What waits on you I tell you in a direct message every working morning, if you say so in my *Home* tab: *How I am notified*.',
  notIn: 'I am not in this channel. Invite me with */invite @Bosun*, then save it again.',

  every: {
    day: 'every day',
    workday: 'from Monday to Friday',
    week: (weekday: string) => `every ${weekday}`,
  },
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  at: (every: string, time: string, zone: string) => `${every} at ${time} (${zone})`,

  form: {
    title: 'Digest',
    save: 'Save',
    cancel: 'Cancel',
    about:
      'What was done in this channel, what waits for whom, what it cost: one message, which calls nobody.',
    every: 'When',
    time: 'At',
    zone: 'Time zone',
    zoneHint: 'Type a city: *Berlin*, *New York*.',
    choose: 'Choose one of these.',
    noZone: 'Choose a time zone from the list.',
  },

  /** `since`: a moment. */
  headline: (since: string) => `📋 *In this channel since ${since}*`,
  preview: 'This is what I would say now. You alone see it.',
  sections: {
    waiting: (count: number) => `🟠 *Waits for somebody* (${count})`,
    failed: (count: number) => `🔴 *Failed* (${count})`,
    stopped: (count: number) => `⏹ *Stopped* (${count})`,
    done: (count: number) => `✅ *Done* (${count})`,
    running: (count: number) => `🔵 *Still working* (${count})`,
  } satisfies Record<Section, (count: number) => string>,
  merged: (count: number) => `🟣 *Merged* (${count})`,
  waits: {
    answer: (who: string, since: string) => `${who} has to answer, since ${since}`,
    review: (who: string, since: string) => `${who} has to review it, since ${since}`,
  },
  somebody: 'somebody',
  archived: '📦 archived',
  more: (count: number) => `and ${count} more`,
  cost: (dollars: string) => `💰 It cost ${dollars}.`,
  quiet: (since: string) =>
    `📋 Nothing happened in this channel since ${since}, and nothing waits.`,

  /** What somebody reads in their direct messages. */
  mine: {
    headline: (count: number) =>
      count === 1 ? '☀️ *One thing waits on you*' : `☀️ *${count} things wait on you*`,
    none: '☀️ Nothing waits on you any more.',
    inDirect: 'in a direct message',
    change: 'My *Home* tab has all of it, and ends these messages.',
  },
} as const
