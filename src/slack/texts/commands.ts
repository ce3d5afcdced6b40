/** What the slash command says. */
export const commandTexts = {
  help: {
    '/bosun': [
      '*Mention me with a task*, and an agent starts on it: *@Bosun fix the login bug*. Reply in its Slack thread to tell it more.',
      '',
      '`/bosun new` starts work with a form · `/bosun status` what runs in this channel · `/bosun mine` what you asked for, anywhere · `/bosun tasks` tasks of what runs here · `/bosun find WORDS` searches all work',
      '`/bosun follow ID or web address` brings work from elsewhere into this channel',
      '`/bosun watch [project]` tells this channel when work needs somebody, is ready for review or failed · `/bosun unwatch [project]` ends that',
      '`/bosun channel` this channel’s settings, and who may use me · `/bosun automations [new]` agents that start by themselves · `/bosun hooks [new]` addresses that start them',
      '`/bosun projects` · `/bosun users` · `/bosun folders` what there is on the agent platform',
      'For admins: `/bosun connect` gives a channel its key and project · `/bosun disconnect` removes them · `/bosun usage [from to]` what was billed · `/bosun doctor` checks my health · `/bosun audit` who did what',
      '`/review` and `/captain` have help of their own · `/bosun help` shows this',
      '',
      '*In its Slack thread* every reply goes to the agent, and',
      '`stop` stops it',
      '`!now` before a message interrupts the agent, `!steer` redirects it, `!aside` keeps the message from it',
      '`mute` lets you talk among yourselves, `unmute` brings me back',
      '*@Bosun new* before a task starts a second agent',
      '',
      '*Before a task* you can write `project=` `repo=` `model=` `effort=` `size=` `title="…"`',
    ].join('\n'),
    '/review': [
      '*An agent reviews a pull request*, and its review appears here in a Slack thread of its own.',
      '',
      '`/review acme/web#12` or `/review https://github.com/acme/web/pull/12` reviews the newest commit',
      '`/review acme/web#12 force` reviews the same commit again',
      '`/review rules` tells all reviews what to look for: *every price is rounded once*',
      '`/review filters` shows and deletes the filters that decide which pull requests are reviewed',
      'For admins: `/review billing decline acme/web` declines the offer to hand over the costs of its reviews',
      '`/review help` shows this',
      '',
      '*In the Slack thread of an agent* press *Review* under what it says of a pull request, or write `!review acme/web#12`: the agent gets the outcome',
    ].join('\n'),
    '/captain': [
      '*A captain is an agent that stays*: it has a name and a face, and you can ask it again and again.',
      '',
      '`/captain new` makes one with a form, or `/captain new Ada`',
      '`/captain list` shows those of this channel’s project, and where they are',
      '`/captain ask Ada what is left to do?` asks one · `/captain ask "Ada Lovelace" what is left to do?` where its name has spaces',
      '`/captain here Ada` makes this channel Ada’s home: mentions of me here go to Ada, and *@Bosun new* still starts new work · `/captain here nobody` ends that',
      '`/captain help` shows this',
    ].join('\n'),
  },
  unknown: (command: string, word: string, nearest: string | undefined) =>
    nearest === undefined
      ? `I don’t know \`${command} ${word}\`. \`${command} help\` lists what I do.`
      : `I don’t know \`${command} ${word}\`. Did you mean \`${command} ${nearest}\`?`,
  list: {
    here: '*Running here*',
    mine: '*Your work*',
    noneHere: 'Nothing is running in this channel. Mention me with a task to start something.',
    noneMine: 'You have not asked me for anything yet. Mention me with a task to start something.',
    noMore: 'That was all.',
    more: 'More',
    toThread: 'Slack thread',
    stopping: (title: string) => `Stopping *${title}*.`,
    notYours:
      'I can stop this for you only where it runs: press Stop on the card in its Slack thread.',
  },
  follow: {
    usage: 'Say which work: `/bosun follow ID or web address`, as the agent platform shows it.',
    notOurs:
      'That web address is not one of the agent platform’s. Paste the id of the work instead.',
    gone: 'I find no such work for this channel. It may be gone, out of my key’s reach, in another project, or begun in a direct message or a private channel: then it stays there.',
    standing: (where: string) => `This channel already follows that work: ${where}`,
    followed: (where: string) => `Here it is: ${where}`,
    noPlace: (code: string) =>
      `Slack does not let me write in this channel (${code}). Invite me with */invite @Bosun*, then ask again.`,
    thisThread: 'its Slack thread is in this channel',
    head: (title: string, name: string) => `👀 *${title}* · followed here for ${name}`,
    elsewhere: (title: string) => `*${title}* is followed in another Slack thread of this channel.`,
    readOnlyHead: (title: string, name: string) =>
      `👀 *${title}* · a task of the agent’s, followed here for ${name}`,
  },
} as const
