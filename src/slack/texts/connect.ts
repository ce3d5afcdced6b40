import type {KeyCheck} from '../../inbox/key-check.ts'
import type {Usage} from '../../inbox/work/limits.ts'
import type {Source} from '../../inbox/work/settings.ts'

/** What people read of keys, and of what holds in a channel. */
export const connectTexts = {
  title: 'Connect',
  close: 'Close',
  cancel: 'Cancel',
  next: 'Next',
  save: 'Save',

  unbound: 'This channel is not connected to a project yet.',
  nameOne: 'Name one: *@Bosun project=… your task*.',
  noKey: 'There is no key for the agent platform here.',
  connect: 'Connect',
  askAdmin: 'Ask an admin',
  asked: (names: readonly string[]) => `I have asked ${names.join(', ')} to connect this channel.`,
  askedAlready: 'The admins have been asked for this channel already, not a day ago.',
  noAdmins: 'Slack does not tell me who the admins of this workspace are. Please ask one yourself.',
  request: (who: string, where: string) =>
    `${who} would like to use Bosun in ${where}, which is not connected to a project yet.`,

  form: {
    scope: 'What you choose here holds for',
    here: 'This channel',
    everywhere: 'All channels of the workspace that choose nothing else',
    which: 'Key of the agent platform',
    environment: 'The one that Bosun was started with',
    another: 'A new API key',
    key: 'New API key',
    keyHint:
      'Made on the agent platform under Settings, API. It is sealed at once, and nobody sees more than its last four characters again.',
    label: 'Name of the new key',
    labelHint: 'So that people know it: the name of a team, say.',
    noSealing:
      'New keys cannot be stored yet: whoever runs Bosun has to set `BOSUN_KEYS` first. `echo "k1:$(openssl rand -base64 32)"` makes a value for it.',
    checking: '⏳ Checking…',
    saving: '⏳ Saving…',
    refused: '(refused)',
    keyMissing: 'Paste the key.',
    keyWrong: 'A key is one word without blanks.',
  },

  settings: {
    forHere: 'Settings of this channel',
    forAll: 'Settings of the workspace',
    works: (key: string) => `🔑 *${key}*`,
    project: 'Project',
    projectHint: 'Empty: people name one, project=…',
    projectTyped: 'Its name, code or id. Empty: people name one, project=…',
    model: 'Default model',
    modelHint: 'Empty: the project’s own.',
    size: 'Default machine size',
    standard: 'The project’s own',
    followUps: 'Replies in the Slack thread of an agent',
    everyone: 'All of them go to the agent',
    mention: 'Only those that mention @Bosun',
    noise: 'What calls people who have not chosen for themselves',
    who: 'Who may use Bosun',
    whoAll: 'Everyone in the channel',
    whoGroup: 'A user group',
    whoList: 'These people',
    group: 'User group',
    groupTyped: 'Its id, as its page in Slack shows it.',
    people: 'People',
    also: 'Besides',
    guests: 'Guests of this workspace too',
    externals: 'People of other companies, in shared channels, too',
    instructions: 'Instructions in front of each first message',
    perPerson: 'How often one person may start work in 24 hours',
    perChannel: 'How often work may be started in a channel in 24 hours',
    limitHint: 'Empty: as often as they like.',
    needsGroup: 'Choose the user group.',
    needsPeople: 'Choose somebody.',
    needsNumber: 'A whole number from 1 to 10000, or nothing.',
  },

  bad: ({why, detail}: KeyCheck & {outcome: 'bad'}): string => {
    switch (why) {
      case 'refused':
        return '⚠️ The agent platform does not accept this key. Copy it once more, or make a new one there under Settings, API.'
      case 'no-projects':
        return '⚠️ This key reaches no project. Give its service user access to one on the agent platform.'
      case 'unreachable':
        return '⚠️ The agent platform does not answer, so nothing was stored. Try again in a moment.'
      case 'busy':
        return `⚠️ The agent platform wants to be asked less often. Try again in ${detail} s.`
      case 'declined':
        return `⚠️ The agent platform declined: ${detail}`
      default:
        throw new Error(`Unknown reason: ${String(why satisfies never)}`)
    }
  },
  lostKey: '⚠️ The key could not be read any more. Paste it once more.',
  stored: (key: string) => `✅ The key is stored as *${key}*. \`/bosun connect\` goes on with it.`,
  gone: 'That key was removed while the form stood open, and nothing was saved. `/bosun connect` begins anew.',
  stale: (who: string | undefined) =>
    `${who ?? 'Somebody'} changed these settings while your form stood open, so nothing of yours was saved. \`/bosun connect\` shows how they are now.`,
  noProject: (said: string, near: string | undefined) =>
    near === undefined
      ? `⚠️ This key reaches no project *${said}*.`
      : `⚠️ No project *${said}*. Did you mean *${near}*?`,
  savedHere: (project: string | undefined, key: string) =>
    project === undefined
      ? `✅ This channel works with the key *${key}*; who starts work names the project.`
      : `✅ This channel works in *${project}*, with the key *${key}*.`,
  savedAll: (project: string | undefined, key: string) =>
    project === undefined
      ? `✅ Channels that choose nothing else work with the key *${key}*; who starts work names the project.`
      : `✅ Channels that choose nothing else work in *${project}*, with the key *${key}*.`,
  ownStays: 'This channel keeps what it has chosen for itself.',

  disconnect: {
    askHere: (what: string) => `Disconnect this channel from ${what}?`,
    askAll: (what: string) => `Take back what holds in the whole workspace: ${what}?`,
    here: 'Disconnect this channel',
    everywhere: 'Disconnect the workspace',
    keyGoes: (key: string, atWork: number) =>
      atWork === 0
        ? `No other channel names the key *${key}*: it is deleted with it.`
        : `No other channel names the key *${key}*: it is deleted with it, and what ${works(atWork)} with it is not shown any more. The agents go on.`,
    keyStays: (key: string) => `The key *${key}* stays, since other channels name it.`,
    nothing:
      'Nothing was chosen for this channel or for the workspace, so there is nothing to disconnect.',
    environment:
      'It works with the key that Bosun was started with: whoever runs Bosun can take that back (PLATFORM_API_KEY).',
    changed: 'What holds there was changed meanwhile. `/bosun disconnect` asks once more.',
    already: 'That has been disconnected already.',
    doneHere: '✅ This channel is disconnected.',
    doneAll: '✅ The workspace’s own settings are taken back.',
    keyGone: (key: string, atWork: number) =>
      atWork === 0
        ? `The key *${key}* was deleted.`
        : `The key *${key}* was deleted. What ${works(atWork)} with it is not shown any more; the agents go on.`,
    nowFrom: (project: string) => `From now on it works in *${project}*, as the workspace does.`,
    nowNone: 'No work can be started here until it is connected again: `/bosun connect`.',
  },

  channel: {
    headline: '*What holds here*',
    sources: {
      channel: 'this channel',
      workspace: 'the workspace',
      environment: 'how Bosun was started',
      default: 'unless somebody chooses',
    } satisfies Record<Source, string>,
    key: 'Key',
    keyRefused: '⚠️ the agent platform does not accept it any more',
    keyGone: '⚠️ deleted: it has to be given anew',
    none: 'none',
    project: 'Project',
    projectNamed: 'whoever starts work names it',
    model: 'Model',
    size: 'Machine size',
    standard: 'the project’s own',
    followUps: 'Replies',
    everyone: 'all go to the agent',
    mention: 'only those that mention me go to the agent',
    noise: 'Calls',
    noises: {
      quiet: 'when it needs somebody or failed',
      normal: 'also when it is ready, or long work ends',
      verbose: 'also when short work ends',
    },
    who: 'Who may use me',
    whoAll: 'everyone in the channel',
    guests: (isIn: boolean) => (isIn ? 'guests too' : 'no guests'),
    externals: (isIn: boolean) => (isIn ? 'other companies too' : 'no other companies'),
    instructions: 'Instructions',
    limits: 'In 24 hours',
    noLimit: 'as often as people like',
    usage: ({scope, limit, used}: Usage): string => {
      switch (scope) {
        case 'person-here':
          return `each person ${limit} times here (you: ${used})`
        case 'person-anywhere':
          return `each person ${limit} times in the workspace (you: ${used})`
        case 'channel':
          return `this channel ${limit} times (so far: ${used})`
        default:
          throw new Error(`Unknown scope: ${String(scope satisfies never)}`)
      }
    },
    change: 'Change',
  },

  limit: ({scope, limit}: Usage, time: string): string => {
    const who = `An admin can change it: \`/bosun connect\`.`
    switch (scope) {
      case 'person-here':
        return `You have started work ${times(limit)} here in the last 24 hours, and this channel allows no more. The next start is free ${time}. ${who}`
      case 'person-anywhere':
        return `You have started work ${times(limit)} in the last 24 hours, and this workspace allows no more. The next start is free ${time}. ${who}`
      case 'channel':
        return `Work was started ${times(limit)} in this channel in the last 24 hours, and no more is allowed. The next start is free ${time}. ${who}`
      default:
        throw new Error(`Unknown scope: ${String(scope satisfies never)}`)
    }
  },

  refused: {
    headline: (key: string) =>
      `🔑 The agent platform does not accept the key *${key}* any more. What works with it goes on there, and is shown here again once an admin has replaced the key.`,
    ofEnvironment:
      '🔑 The agent platform does not accept my key any more. What works with it goes on there, and is shown here again once whoever runs Bosun has replaced PLATFORM_API_KEY and started Bosun anew.',
    over: '✅ The agent platform accepts the key again.',
    replacedBy: (name: string) => `✅ ${name} replaced the key.`,
    replace: 'Replace key',
    title: 'Replace the key',
    of: (key: string) =>
      `The key *${key}* is replaced wherever it is used. Work goes on where it stood.`,
    done: (key: string) => `✅ The key is replaced: *${key}*. Work goes on where it stood.`,
    elsewhere: (projects: readonly string[]) =>
      `⚠️ This key does not reach ${projects.join(', ')}, where channels work with the one before. Nothing was changed.`,
    noSealing:
      'Keys cannot be stored: whoever runs Bosun has to set `BOSUN_KEYS` first. `echo "k1:$(openssl rand -base64 32)"` makes a value for it.',
  },

  leak: {
    message:
      '🔑 There is a key or token in your message. I did not keep it and passed nothing on. Delete the message, and revoke the key where it was made: whoever has read it can use it.',
    command:
      '🔑 That looks like a key or token. I did not keep it. Revoke it where it was made and make a new one: keys are only typed into the form that `/bosun connect` opens.',
    form: '🔑 There is a key or token in what you entered. I did not keep it and passed nothing on. Revoke it where it was made if anybody else may have seen it.',
  },

  home: {
    headline: '🔑 This workspace',
    none: 'No key is chosen for the whole workspace.',
  },
} as const

function works(count: number): string {
  return count === 1 ? 'one agent works on' : `${count} agents work on`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
