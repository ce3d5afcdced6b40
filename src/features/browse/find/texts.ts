/** What people read of what was found, and of what they looked for. */
export const findTexts = {
  usage: [
    'Say what to look for: `/bosun find words of the title or the task`, or the name of the automation that began it. With words or alone:',
    '`state=needs-you` or working, waiting, ready, failed, stopped, done, archived',
    '`by=@jane`, `by=me` or `by=jane@acme.com` whose work it is',
    '`repo=acme/web` where it has a pull request; without one, the only repository of its project',
    '`since=7d`, `since=2026-10-01`, `until=3w` when something happened last',
  ].join('\n'),
  headline: (words: string, filters: readonly string[]) =>
    [words === '' ? '*Work*' : `*Work with “${words}”*`, ...filters].join(' · '),
  by: (name: string) => `by ${name}`,
  repo: (name: string) => `in ${name}`,
  since: (time: string) => `since ${time}`,
  until: (time: string) => `until ${time}`,
  none: (words: string, filters: readonly string[]) => {
    const what = [
      ...(words === '' ? [] : [`with “${words}”`]),
      ...(filters.length === 0 ? [] : [`(${filters.join(' · ')})`]),
    ]
    const fewer = [...(words === '' ? [] : ['words']), ...(filters.length === 0 ? [] : ['filters'])]
    return `I found nothing ${what.join(' ')} in this channel, in your own work or on the agent platform. Fewer ${fewer.join(' or ')} find more.`
  },
  /** `near`: what may be meant, drawn already; empty where nothing is near. */
  wrong: {
    state: (word: string, near: string) => `No state *${word}*. Did you mean ${near}?`,
    stateOf: (word: string, all: string) => `No state *${word}*. Choose ${all}.`,
    by: (word: string, near: string) =>
      near === ''
        ? `No person *${word}*. Mention them, \`by=@jane\`, or name their e-mail.`
        : `No person *${word}*. Did you mean ${near}?`,
    several: (word: string) =>
      `More than one person fits *${word}*. Mention the one, \`by=@jane\`, or name their e-mail.`,
    untold: (word: string) =>
      `The agent platform does not say now who *${word}* is. Try again in a minute, or mention them: \`by=@jane\`.`,
    repo: (word: string, near: string) =>
      near === ''
        ? `No repository *${word}*. I can’t reach any project that holds it.`
        : `No repository *${word}*. Did you mean ${near}?`,
    date: (name: string, word: string) =>
      `I can’t read *${word}* as a date. Say \`${name}=2026-10-01\`, \`${name}=7d\`, \`${name}=3w\` or \`${name}=yesterday\`.`,
    backwards: 'That ends before it begins: *since* has to be earlier than *until*.',
    future: 'That has not begun yet: *since* lies in the future.',
  },
  noProject: 'Nobody chose a project here, so I searched only what I know myself.',
  searchedOwn: 'This channel is not connected, so I searched only what I know myself.',
  stopped:
    'The agent platform does not say what was stopped, so I searched only what I know myself.',
  notSearched: (why: string) => `The agent platform could not be searched: ${why}`,
  lookedAt: (count: number) => `On the agent platform I looked at ${count} so far.`,
  further: 'Look further',
  /** What leads on from an earlier page is no longer known. */
  lost: 'I no longer know how far I had looked. Search again.',
  again: 'Search again',
  begunBy: (name: string) => `begun by *${name}*`,
  elsewhere: 'on the agent platform',
  follow: 'Follow here',
} as const
