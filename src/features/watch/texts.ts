/** What a channel reads of a project that it watches. */
export const watchTexts = {
  /** What `help` says. */
  help: {
    '/bosun': [
      '`/bosun follow ID or web address` brings work from elsewhere into this channel',
      '`/bosun watch [project]` tells this channel when work needs somebody, is ready for review or failed · `/bosun unwatch [project]` ends that',
    ],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun follow thread_123':
      'Work of this channel’s project from elsewhere, by its id or web address, in a Slack thread of this channel, which all see; of another project, and where people of another company read, for admins alone.',
    '/bosun watch web':
      'From then on the channel hears when work of its project needs somebody, is ready for review or failed; of another project, and where people of another company read, for admins alone. What was begun in direct messages and private channels is passed over.',
    '/bosun unwatch web': 'It hears no more of it. Without a name: of any.',
  },
  added: (project: string) =>
    `This channel now hears when work in *${project}* needs somebody, is ready for review or has failed. \`/bosun unwatch\` ends that.`,
  standing: (project: string) =>
    `This channel already watches *${project}*. \`/bosun unwatch\` ends that.`,
  passesOver:
    'I pass over work that was begun in direct messages and private channels: it stays there.',
  passesOverOthers:
    'I pass over work that was begun in direct messages and other private channels: it stays there.',
  notOwn: (project: string) =>
    `*${project}* is not this channel’s project. Admins of this workspace may watch it here: ask one of them.`,
  shared:
    'People of another company read this channel. Admins of this workspace may have it hear of other work: ask one of them.',
  removed: (projects: string) => `This channel no longer watches ${projects}.`,
  notWatching: 'This channel watches no project. `/bosun watch` begins that.',
  notWatchingThis: (project: string, others: string) =>
    `This channel does not watch *${project}*. It watches ${others}.`,
  notIn:
    'I am not in this channel, so I could not tell it anything. Invite me with */invite @Bosun*, then ask again.',
  unknown: (name: string, nearest: string | undefined) =>
    nearest === undefined
      ? `My key reaches no project *${name}*.`
      : `No project *${name}*. Did you mean *${nearest}*?`,
  noProject: 'This channel is not connected to a project yet. Name one: `/bosun watch PROJECT`.',
  otherKey: (channel: string) =>
    `I stopped watching for ${channel}: it works with another key now, or with none. \`/bosun watch\` there watches what that key reaches.`,
  outOfReach: (channel: string) =>
    `I stopped watching for ${channel}: for an hour its key has not reached that project. Once it does again, \`/bosun watch\` there watches it.`,
  notOfKey: 'This channel works with another key now, so that work is not shown here.',
  lost: (channel: string, code: string) =>
    `I stopped watching for ${channel}: Slack no longer lets me write there (${code}). Invite me again, then type \`/bosun watch\` again.`,

  /** `words`: what has become of it. */
  ended: (title: string, words: string) => `*${title}* · ${words}`,
  needs: (title: string) => `🟠 *${title}* needs an answer`,
  ready: (title: string) => `🟢 *${title}* is ready for review`,
  failed: (title: string) => `🔴 *${title}* failed`,
  whose: (name: string) => `${name}’s work`,
  over: 'no longer current',
  unwatched: 'This channel no longer watches that project.',
  answered: '✅ Answered',
  answeredBy: (name: string) => `✅ Answered by ${name}`,
  wentOn: '↪️ Went on',
  hushed: 'This channel won’t hear about this work again.',

  answer: 'Answer',
  reply: 'Reply',
  followHere: 'Follow here',
  notThisOne: 'Not this one',
  /** What the agent did with its tools. */
  workIsOver: 'This work is over, so I show nothing more of it here.',
  steps: {
    title: 'Steps',
    none: 'The agent has used no tools yet.',
    noEarlier: 'There are no earlier steps.',
    /** `until`: the time of the last that was read. */
    cut: (until: string | undefined) =>
      until === undefined
        ? 'This work is long, and I have not come to its steps yet.'
        : `This work is long: I have read as far as ${until}, and the steps that belong here come later.`,
    earlier: 'Earlier',
    newest: 'Back to the newest',
    further: 'Read further',
  },
  form: {
    title: 'Answer the agent',
    label: 'Your answer',
    send: 'Send',
    cancel: 'Cancel',
    nothingSaid: 'It has not said anything yet.',
    over: 'This no longer needs an answer.',
    unsure: 'I am not sure that this arrived: check its Slack thread.',
  },
} as const
