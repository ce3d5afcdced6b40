/** What a channel reads of a project that it watches. */
export const watchTexts = {
  added: (project: string) =>
    `This channel now hears when work in *${project}* needs somebody, is ready for review or has failed. \`/bosun unwatch\` ends that.`,
  standing: (project: string) =>
    `This channel watches *${project}* already. \`/bosun unwatch\` ends that.`,
  removed: (projects: string) => `This channel does not watch ${projects} any more.`,
  notWatching: 'This channel watches no project. `/bosun watch` begins that.',
  notWatchingThis: (project: string, others: string) =>
    `This channel does not watch *${project}*, but ${others}.`,
  notIn:
    'I am not in this channel, so I could not tell it anything. Invite me with */invite @Bosun*, then ask once more.',
  unknown: (name: string, nearest: string | undefined) =>
    nearest === undefined
      ? `No project *${name}* within my key’s reach.`
      : `No project *${name}*. Did you mean *${nearest}*?`,
  noProject: 'This channel is not connected to a project yet. Name one: `/bosun watch PROJECT`.',
  lost: (channel: string, code: string) =>
    `I stopped watching for ${channel}: Slack does not let me write there any more (${code}). Invite me again, then ask for \`/bosun watch\` once more.`,

  needs: (title: string) => `🟠 *${title}* needs an answer`,
  ready: (title: string) => `🟢 *${title}* is ready for review`,
  failed: (title: string) => `🔴 *${title}* failed`,
  whose: (name: string) => `${name}’s work`,
  over: 'no longer',
  unwatched: 'This channel does not watch that project any more.',
  answered: 'Answered',
  answeredBy: (name: string) => `Answered by ${name}`,
  hushed: 'You won’t hear of this work here again.',

  answer: 'Answer',
  reply: 'Reply',
  followHere: 'Follow here',
  notThisOne: 'Not this one',
  form: {
    title: 'Answer the agent',
    label: 'Your answer',
    send: 'Send',
    cancel: 'Cancel',
    nothingSaid: 'It has not said anything yet.',
    over: 'This is over already.',
    sent: 'Sent. The agent’s Slack thread is below its message in this channel.',
    unsure: 'I am not sure that this arrived: look into its Slack thread.',
  },
} as const
