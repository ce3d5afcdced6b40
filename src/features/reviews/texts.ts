/** What people read of reviews. `pr`, `repo`, `name`, `where`: ready to be shown. */
export const reviewTexts = {
  /** What `help` says. */
  help: {
    '/review': [
      '*An agent reviews a pull request*, and its review appears here in a Slack thread of its own.',
      '',
      '`/review acme/web#12` or `/review https://github.com/acme/web/pull/12` reviews the newest commit',
      '`/review acme/web#12 force` reviews the same commit again',
      '`/review rules` tells all reviews what to look for: *every price is rounded once*',
      '`/review filters` shows and deletes the filters that decide which pull requests are reviewed',
      '`/review help` shows this',
      '',
      '*In the Slack thread of an agent* press *Review* under what it says of a pull request, or write `!review acme/web#12`: the agent gets the outcome',
    ],
  },
  helpForAdmins: {
    '/review': [
      '`/review billing decline acme/web` declines the offer to hand over the costs of its reviews',
    ],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/review acme/web#12':
      'A message in the channel, and below it what the reviewer says. A web address does as well; `force` after it reviews the same commit again. What starts a review counts as a start where `/bosun connect` limits them.',
    '/review rules':
      'A form: what reviews look for, in which repositories. `/review rules every price is rounded once` fills it in.',
    '/review filters': 'Which pull requests are reviewed; admins have [Delete].',
    '/review billing decline acme/web': 'Declines the offer to hand the costs of its reviews over.',
  },
  /** In the modal of the work. */
  askedInModal: 'Asked for a review. The answer comes to the Slack thread of this work.',
  again: 'Run again anyway',

  /** `where`: a link to its Slack thread; `undefined` where nobody knows which thread of the platform it is. */
  begun: (pr: string, where: string | undefined) => `${pr} is being reviewed. ${outcomeAt(where)}`,
  running: (pr: string, where: string | undefined) =>
    `A review of ${pr} at this commit is already under way. ${outcomeAt(where)}`,
  already: (pr: string, where: string | undefined) =>
    where === undefined
      ? `Already reviewed at this commit: ${pr}. ${outcomeAt(where)}`
      : `Already reviewed at this commit. ${pr}: ${where}`,
  recorded: 'The agent in this Slack thread will get the outcome.',
  notRecorded:
    'The outcome appears only in its own Slack thread; the agent here won’t get it, because this review is over or reports elsewhere.',
  noPlace: (code: string) =>
    `The review has begun, but Slack does not let me show it in this channel (${code}). Invite me with */invite @Bosun*, then ask again: it is not reviewed twice.`,
  notShown: (pr: string, why: string) =>
    `${pr} is being reviewed, or already was at this commit, but I can’t show it here. ${why}`,
  otherKey:
    'This channel works with another key now, so nothing is reviewed with that of this work. `/review` uses the new one.',
  notIn:
    'I am not in this channel, so I can’t show a review here. Invite me with */invite @Bosun*, then ask again.',
  ofOtherProject:
    'Guests and people of other companies have pull requests of this channel’s project reviewed here, and of no other.',
  refused: (pr: string, reason: string) => `${pr} was not reviewed: ${reason}`,
  noReason: 'the agent platform gave no reason. It may be closed, a draft, or unreadable.',
  noReasonAtAll: 'the agent platform gave no reason.',
  outOfReach: (repo: string) =>
    `I can’t review anything in *${repo}*: it does not exist, or my key can’t reach it.`,

  changes: {
    title: 'Ask for changes',
    submit: 'Send',
    close: 'Back',
    label: 'What should be different?',
    empty: 'Write what should be different first.',
    /** The agent reads it. */
    message: (address: string, text: string) => `About the pull request ${address}:\n${text}`,
  },

  rule: {
    notForVisitors:
      'These rules hold for all reviews of a repository, so guests and people of other companies make none.',
    title: 'New review rule',
    submit: 'Create',
    close: 'Back',
    body: 'What should reviews look for?',
    bodyExample: 'Every price is rounded once, at the end.',
    scopes: 'Where does it apply?',
    scopesExample: 'acme/web: src/**, test/**\nacme/api',
    scopesHint: 'One repository per line; after a colon, the paths it applies to.',
    file: 'A file that says more',
    fileExample: 'acme/web:docs/REVIEWING.md',
    fileHint: 'owner/repo:path',
    empty: 'Write the rule first.',
    scopeWrong: (line: string) => `"${line}" must look like "owner/repo: src/**, test/**".`,
    tooMany: (max: number) => `At most ${max} repositories.`,
    nowhere: 'Say where it applies: a repository here, or a file below.',
    fileWrong: 'Write it like "acme/web:docs/REVIEWING.md".',
    made: (body: string, where: string) => `✅ The rule is set:\n${body}\n${where}`,
    covered: (repo: string, paths: string) => `• *${repo}* ${paths}`,
    notCovered: (repo: string, paths: string) =>
      `• *${repo}* ${paths} · ⚠️ not covered: the organization’s code-hosting installation does not reach it, so nothing is reviewed there`,
    unknownCover: (repo: string, paths: string) =>
      `• *${repo}* ${paths} · the agent platform does not say whether it is covered`,
    allPaths: 'everywhere in it',
    more: (count: number) => `… and ${count} more`,
    ofFile: (path: string) => `the file ${path}`,
    notMade: (why: string, body: string) => `The rule was not created: ${why}\n${body}`,
    silent: 'the agent platform isn’t accepting it right now. Try again in a moment.',
    unsure: (body: string) =>
      `⚠️ Not sure whether this rule was created: the agent platform did not answer in time. Look for it there before you create it again, or it may exist twice.\n${body}`,
  },

  filters: {
    notForVisitors:
      'These filters are of all repositories, so guests and people of other companies read none.',
    title: '*Which pull requests are reviewed*',
    none: 'There are no review filters.',
    noMore: 'That was all.',
    nothingBehind: '`/review filters` takes nothing after it; it lists them all.',
    by: (name: string) => `by ${name}`,
    since: (time: string) => `since ${time}`,
    anyRepo: 'all repositories',
    always: 'always',
    is: (field: string, values: string) => `${field} is ${values}`,
    isNot: (field: string, values: string) => `${field} is not ${values}`,
    or: ' or ',
    and: ' and ',
    delete: 'Delete',
    confirm: {
      title: 'Delete this filter?',
      text: 'It is removed for the whole organization, and I can’t restore it.',
      confirm: 'Delete',
      deny: 'Keep',
    },
    deleted: 'The filter is deleted.',
    gone: 'This filter no longer exists.',
  },

  billing: {
    usage:
      'Say which repository: `/review billing decline owner/repo` declines the offer to hand over the costs of its reviews.',
    unknown: (said: string) =>
      `I don’t know \`/review billing ${said}\`. Did you mean \`/review billing decline owner/repo\`?`,
    declined: (repo: string, from: string, to: string) =>
      `Declined: the reviews of *${repo}* are not handed over from ${from} to ${to}.`,
    declinedBare: (repo: string) =>
      `Declined: the costs of *${repo}*’s reviews are not handed over.`,
    payer: (org: string) => `Its reviews stay on the bill of ${org}.`,
    offered: (time: string) => `The offer was made ${time}.`,
    refused: (repo: string, reason: string) => `Nothing was declined for *${repo}*: ${reason}`,
    maybeDone: 'It may have been declined a moment ago, when the agent platform’s answer was lost.',
  },
} as const

function outcomeAt(where: string | undefined): string {
  return where === undefined
    ? 'The agent platform does not say where the review is, so I can’t show it.'
    : `The outcome appears here: ${where}`
}
