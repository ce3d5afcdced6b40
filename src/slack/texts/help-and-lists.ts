/** What the slash command says. */
export const commandTexts = {
  /** What somebody needs who has never met us: one line for each thing that they will want to do. */
  newcomers: {
    start:
      '*Start:* mention me with a task, *@Bosun fix the login bug*, or type `/bosun new` for a form',
    startDirect: '*Start:* write me a task, such as *fix the login bug*',
    followUp: '*Follow up:* reply in its Slack thread, and the agent gets it',
    followUpMention: '*Follow up:* mention me in its Slack thread, and the agent gets it',
    stop: '*Stop:* write `stop` in its Slack thread, or press *Stop* on its card',
    answer:
      '*Answer:* I mention you when an agent needs you; `/bosun mine` shows your work and what waits for you',
    find: '*Find:* `/bosun find login bug` searches all work, `/bosun status` shows what is under way here',
    all: 'All commands',
  },
  help: {
    /** `emoji`: the one that starts work, if any does. */
    start: (emoji: string | undefined) =>
      [
        '*Mention me with a task*, and an agent starts on it: *@Bosun fix the login bug*',
        ...(emoji === undefined
          ? []
          : [`Put :${emoji}: on a message, and I offer to start from it`]),
        'Before a task you can write `project=` `repo=` `model=` `effort=` `modes=` `size=` `title="…"` `plan=yes`',
      ].join('\n'),
    inThread: (isMentionOnly: boolean) =>
      [
        isMentionOnly
          ? '*In its Slack thread* every reply that mentions me goes to the agent, and'
          : '*In its Slack thread* every reply goes to the agent, and',
        '`stop` stops it',
        '`!now` before a message interrupts the agent, `!steer` redirects it, `!aside` keeps the message from it',
        '`!model` *best* chooses another model, `!review` *acme/web#12* has a pull request reviewed',
        '`mute` lets you talk among yourselves, `unmute` brings me back',
        '*@Bosun new* before a task starts a second agent',
      ].join('\n'),
    others: '`/review help` and `/captain help` tell of reviews and captains',
    forAdmins: '*For admins*',
  },
  unknown: (command: string, word: string, nearest: string | undefined) =>
    nearest === undefined
      ? `I don’t know \`${command} ${word}\`. \`${command} help\` lists what I do.`
      : `I don’t know \`${command} ${word}\`. Did you mean \`${command} ${nearest}\`?`,
  list: {
    here: '*Under way here*',
    mine: '*Your work*',
    noneHere: 'Nothing is under way here. Give me a task to start something.',
    noneMine: 'You have not asked me for anything yet. Mention me with a task to start something.',
    noMore: 'That was all.',
    more: 'More',
    back: 'Back to the start',
    /** What of one's own is shown, and what is said where there is nothing of it. */
    shows: {all: 'All', needsYou: 'Needs me', running: 'Running', done: 'Done'},
    noneOf: {
      all: 'Nothing here.',
      needsYou: 'None of your work needs you.',
      running: 'None of your work is running.',
      done: 'None of your work is done yet.',
    },
    /** Written to us in a direct message, it is answered by the list of that, and by no agent. */
    waitsOnMe: 'What waits on me?',
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
    shared:
      'People of another company read this channel. Admins of this workspace may bring work from elsewhere here: ask one of them.',
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
