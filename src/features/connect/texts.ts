import type {Usage} from '../../agents/budgets/limits.ts'
import type {Source} from '../../agents/channel-settings.ts'
import type {KeyCheck} from '../../agents/key-check.ts'
import {times} from '../../slack/texts/counts.ts'

/** What people read of keys, and of what applies in a channel. */
export const connectTexts = {
  /** What `help` says. */
  help: {'/bosun': ['`/bosun channel` this channel’s settings, and who may use me']},
  helpForAdmins: {
    '/bosun': [
      '`/bosun connect` gives a channel its key and project · `/bosun disconnect` removes them',
    ],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun channel':
      'Which key, project, defaults and limits apply here, and where each comes from.',
    '/bosun connect': 'A form: a key of the agent platform, then what it is for.',
    '/bosun disconnect':
      'Takes the channel’s, or the workspace’s, key and settings away, after a question.',
  },
  captain: 'Captain',
  captainSays: (name: string) => `${name} answers mentions here`,
  next: 'Next',
  save: 'Save',
  noKey: 'There is no key for the agent platform here.',
  thisChannel: 'this channel',
  directMessages: 'direct messages with me',
  aDirectMessage: 'a direct message',
  asked: (names: readonly string[], what: string) =>
    `I have asked ${names.join(', ')} to connect ${what}.`,
  askedAlready: (what: string) =>
    `The admins were already asked about ${what} less than a day ago.`,
  noAdmins: 'Slack does not tell me who the admins of this workspace are. Please ask one yourself.',
  request: (who: string, where: string) =>
    `${who} would like to use Bosun in ${where}, which is not connected to a project yet.`,

  form: {
    reading: 'Reading the projects…',
    scope: 'These settings apply to',
    here: 'This channel',
    origin: 'The channel that this room was opened from',
    everywhere: 'All channels without settings of their own',
    which: 'Key of the agent platform',
    another: 'A new API key',
    key: 'New API key',
    keyHint:
      'Made on the agent platform under Settings, API. It is sealed at once, and nobody can see more than its last four characters again.',
    label: 'Name of the new key',
    labelHint: 'So people recognise it, for example the name of a team.',
    noSealing:
      'New keys cannot be stored yet: whoever runs Bosun has to set `BOSUN_KEYS` first. `echo "k1:$(openssl rand -base64 32)"` makes a value for it.',
    checking: '⏳ Checking…',
    saving: '⏳ Saving…',
    refused: '(refused)',
    keyMissing: 'Paste the key.',
    keyWrong: 'A key is one word without spaces.',
  },

  settings: {
    forHere: (origin?: string) => `Settings of ${origin ?? 'this channel'}`,
    forAll: 'Settings of the workspace',
    works: (key: string) => `🔑 *${key}*`,
    barred:
      '⚠️ People of another company read this channel now. Until you save, I do nothing here; from then on they read what I write here.',
    project: 'Project',
    projectHint: 'Empty: people name one with project=…',
    projectTyped: 'Its name, code or id. Empty: people name one with project=…',
    model: 'Default model',
    modelHint: 'Empty: as people have chosen for themselves, else the project’s own.',
    effort: 'Default effort',
    ofModel: 'The model’s own',
    modes: 'Default modes',
    size: 'Default machine size',
    standard: 'The project’s own',
    followUps: 'Replies in an agent’s Slack thread',
    everyone: 'All of them go to the agent',
    mention: 'Only those that mention @Bosun',
    noise: 'When to mention people who have not chosen for themselves',
    planFirst: 'Before it changes anything',
    noPlan: 'The agent begins at once',
    withPlan: 'The agent makes a plan, and waits for somebody to let it go ahead',
    longReplies: 'What is too long for messages',
    asFile: 'Comes as a file',
    asCanvas: 'Comes as a canvas, where the workspace has them',
    fixPullRequests: 'When its pull request fails',
    askToFix: 'Somebody tells the agent, with a button',
    fixByItself: 'The agent is told at once, three times at most',
    workflows: 'Workflows of Slack’s Workflow Builder',
    noWorkflows: 'Start nothing here',
    letWorkflows: 'May start work here, and are told how it ended',
    rooms: 'A channel of its own for work, where the workspace has code channels',
    roomsOpen: {
      asked: 'When somebody opens one',
      long: 'Also by itself, after ten minutes of working',
      always: 'For all work, at once',
    },
    who: 'Who may use Bosun',
    whoAll: 'Everyone in the channel',
    whoGroup: 'A user group',
    whoList: 'These people',
    group: 'User group',
    groupTyped: 'Its id, as its page in Slack shows it.',
    people: 'People',
    also: 'Also allow',
    guests: 'Guests of this workspace',
    externals: 'People of other companies, in shared channels',
    instructions: 'Instructions added to each first message',
    perPerson: 'Starts of work per person in 24 hours',
    perChannel: 'Starts of work per channel in 24 hours',
    limitHint: 'Empty: no limit.',
    budgets: {
      budgetPerWork: 'Budget for each piece of work, in dollars',
      budgetPerPersonDay: 'Budget per person a day, in dollars',
      budgetPerPersonMonth: 'Budget per person a month, in dollars',
      budgetPerChannelDay: 'Budget per channel a day, in dollars',
      budgetPerChannelMonth: 'Budget per channel a month, in dollars',
    },
    budgetHint: 'Empty: none. 0: no work may start. Days and months are in UTC.',
    needsGroup: 'Choose the user group.',
    needsPeople: 'Choose somebody.',
    needsNumber: 'A whole number from 1 to 10000, or nothing.',
    needsDollars: 'An amount such as 5 or 12.50, or nothing.',
  },

  bad: ({why, detail}: KeyCheck & {outcome: 'bad'}): string => {
    switch (why) {
      case 'refused':
        return '⚠️ The agent platform does not accept this key. Copy it again, or make a new one there under Settings, API.'
      case 'no-projects':
        return '⚠️ This key reaches no project. Give it access to one on the agent platform.'
      case 'unreachable':
        return '⚠️ The agent platform does not answer, so nothing was stored. Try again in a moment.'
      case 'busy':
        return `⚠️ The agent platform is limiting requests. Try again in ${detail} s.`
      case 'declined':
        return `⚠️ The agent platform declined: ${detail}`
      default:
        throw new Error(`Unknown reason: ${String(why satisfies never)}`)
    }
  },
  lostKey: '⚠️ I could not read the key any more. Please paste it again.',
  stored: (key: string) =>
    `✅ The key is stored as *${key}*. \`/bosun connect\` continues from there.`,
  gone: 'That key was removed while the form was open, so nothing was saved. Type `/bosun connect` again.',
  stale: (who: string | undefined) =>
    `${who ?? 'Somebody'} changed these settings while your form was open, so nothing of yours was saved. \`/bosun connect\` shows how they are now.`,
  noProject: (said: string, near: string | undefined) =>
    near === undefined
      ? `⚠️ This key reaches no project *${said}*.`
      : `⚠️ No project *${said}*. Did you mean *${near}*?`,
  savedHere: (project: string | undefined, key: string, origin?: string) =>
    project === undefined
      ? `✅ ${origin ?? 'This channel'} works with the key *${key}*; whoever starts work names the project.`
      : `✅ ${origin ?? 'This channel'} works in *${project}*, with the key *${key}*.`,
  savedAll: (project: string | undefined, key: string) =>
    project === undefined
      ? `✅ Channels without settings of their own work with the key *${key}*; whoever starts work names the project.`
      : `✅ Channels without settings of their own work in *${project}*, with the key *${key}*.`,
  goesOn: 'I go on here, where people of another company read along.',
  ownStays: (origin?: string) => `${origin ?? 'This channel'} keeps its own settings.`,

  disconnect: {
    askHere: (what: string, origin?: string) =>
      `Disconnect ${origin ?? 'this channel'} from ${what}?`,
    askAll: (what: string) => `Remove the workspace-wide settings: ${what}?`,
    here: 'Disconnect this channel',
    origin: 'Disconnect the channel of this room',
    everywhere: 'Disconnect the workspace',
    keyGoes: (key: string, atWork: number) =>
      atWork === 0
        ? `The key *${key}* is used nowhere else, so it is deleted too.`
        : `The key *${key}* is used nowhere else, so it is deleted too. ${unshown(atWork)}`,
    keyStays: (key: string) => `The key *${key}* stays: it is used elsewhere too.`,
    nothing:
      'Nothing was chosen for this channel or for the workspace, so there is nothing to disconnect.',
    environment:
      'It uses the key Bosun was started with (PLATFORM_API_KEY); only whoever runs Bosun can remove that.',
    changed: 'Those settings changed in the meantime. Type `/bosun disconnect` again.',
    already: 'That is already disconnected.',
    doneHere: (origin?: string) => `✅ ${origin ?? 'This channel'} is disconnected.`,
    doneAll: '✅ The workspace-wide settings are removed.',
    keyGone: (key: string, atWork: number) =>
      atWork === 0
        ? `The key *${key}* was deleted.`
        : `The key *${key}* was deleted. ${unshown(atWork)}`,
    nowFrom: (project: string) => `From now on it works in *${project}*, as the workspace does.`,
    nowNone: 'No work can be started here until it is connected again: `/bosun connect`.',
  },

  channel: {
    headline: '*What applies here*',
    morePeople: (count: number) => `and ${count} more`,
    sources: {
      channel: 'this channel',
      person: 'your own choice',
      workspace: 'the workspace',
      environment: 'Bosun’s own settings',
      default: 'by default',
    } satisfies Record<Source | 'person', string>,
    key: 'Key',
    keyRefused: '⚠️ the agent platform no longer accepts it',
    keyGone: '⚠️ deleted: an admin has to enter it again',
    none: 'none',
    project: 'Project',
    projectNamed: 'whoever starts work names it',
    own: 'Your own project',
    owns: {
      counts: 'what you start begins in it',
      bound: 'does not count here, where the channel has one',
      outOfReach: 'does not count here, where the key does not reach it',
    },
    model: 'Model',
    effort: 'Effort',
    modes: 'Modes',
    ofModel: 'the model’s own',
    ofAlias: (means: string) => `means ${means}`,
    needsModel: 'counts where a model is named',
    size: 'Machine size',
    standard: 'the project’s own',
    followUps: 'Replies',
    everyone: 'all go to the agent',
    mention: 'only those that mention me go to the agent',
    noise: 'Mentions',
    noises: {
      quiet: 'when it needs somebody or failed',
      normal: 'also when it is ready, or long work ends',
      verbose: 'also when short work ends',
    },
    planFirst: 'Plan first',
    plans: (isFirst: boolean) => (isFirst ? 'yes: it waits for a go-ahead' : 'no'),
    longReplies: 'Long replies',
    rest: {file: 'end in a file', canvas: 'end in a canvas'},
    fixPullRequests: 'When a pull request fails',
    fixes: (isAlone: boolean) =>
      isAlone ? 'the agent is told at once, three times at most' : 'somebody presses a button',
    workflows: 'Workflows',
    letIn: (areLetIn: boolean) =>
      areLetIn ? 'may start work, and are told how it ended' : 'start nothing here',
    rooms: 'Rooms',
    roomsOpen: {
      asked: 'when somebody opens one',
      long: 'also by itself, after ten minutes of working',
      always: 'for all work, at once',
    },
    who: 'Who may use me',
    whoAll: 'everyone in the channel',
    guests: (isIn: boolean) => (isIn ? 'guests too' : 'no guests'),
    externals: (isIn: boolean) => (isIn ? 'other companies too' : 'no other companies'),
    instructions: 'Instructions',
    limits: 'Starts in 24 hours',
    noLimit: 'no limit',
    budgets: 'Budgets',
    noBudget: 'none',
    usage: ({scope, limit, used}: Usage): string => {
      switch (scope) {
        case 'person-here':
          return `each person ${times(limit)} here (you: ${used})`
        case 'person-anywhere':
          return `each person ${times(limit)} in the workspace (you: ${used})`
        case 'channel':
          return `this channel ${times(limit)} (so far: ${used})`
        default:
          throw new Error(`Unknown scope: ${String(scope satisfies never)}`)
      }
    },
    change: 'Change',
  },

  refused: {
    headline: (key: string) =>
      `🔑 The agent platform no longer accepts the key *${key}*. Work with it continues there, and is shown here again once an admin has replaced the key.`,
    ofEnvironment:
      '🔑 The agent platform no longer accepts my key. Work with it continues there, and is shown here again once whoever runs Bosun has replaced PLATFORM_API_KEY and restarted Bosun.',
    over: '✅ The agent platform accepts the key again.',
    replacedBy: (name: string) => `✅ ${name} replaced the key.`,
    replace: 'Replace key',
    title: 'Replace the key',
    of: (key: string) =>
      `The key *${key}* is replaced wherever it is used. Work continues where it left off.`,
    done: (key: string) => `✅ The key is replaced: *${key}*. Work continues where it left off.`,
    elsewhere: (projects: readonly string[]) =>
      `⚠️ This key does not reach ${projects.join(', ')}, which channels use now. Nothing was changed.`,
    noSealing:
      'Keys cannot be stored: whoever runs Bosun has to set `BOSUN_KEYS` first. `echo "k1:$(openssl rand -base64 32)"` makes a value for it.',
  },
} as const

/** What becomes of the work of a key that is deleted. */
function unshown(count: number): string {
  return count === 1
    ? 'The work of 1 agent is no longer shown; it keeps running.'
    : `The work of ${count} agents is no longer shown; they keep running.`
}
