import type {Decision} from '../../store/tables/rules/rule.ts'

/** What people read of rules. Names and times come drawn. */
export const ruleTexts = {
  /** What `help` says. */
  help: {},
  helpForAdmins: {
    '/bosun': ['`/bosun rules` messages of other apps that start work here, such as alerts'],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun rules':
      'Which messages of other apps (Sentry, PagerDuty, CI) start work in this channel, or ask first, with [New rule], [Edit], [Try it], [Turn on], [Turn off] and [Delete]. [rules.md](rules.md) says how a rule decides.',
  },

  list: {
    headline: '*Rules of this channel*',
    none: 'This channel has no rules: messages of other apps start nothing here. A rule lets those of one app, such as alerts, start work.',
    row: (name: string, isOn: boolean, what: string) =>
      `${isOn ? '🟢' : '⚪️'} *${name}* · ${isOn ? 'on' : 'off'} · ${what}`,
    what: (does: 'start' | 'ask', app: string, pattern: string) =>
      `messages of ${app}${pattern === '' ? '' : ` with ${pattern}`} ${does === 'start' ? 'start work' : 'ask first'}`,
    limits: (perHour: number, perDay: number, window: string) =>
      `At most ${perHour} an hour and ${perDay} a day; the same again within ${window} is passed over`,
    quiet: (from: string, to: string, zone: string) => `quiet from ${from} to ${to} (${zone})`,
    calls: (person: string) => `calls ${person}`,
    counts: (started: number, passed: number) =>
      `In the last 24 hours: ${started} ${started === 1 ? 'start' : 'starts'}, ${passed} passed over`,
    newRule: 'New rule',
    edit: 'Edit',
    tryIt: 'Try it',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    delete: 'Delete',
  },
  confirm: {
    delete: 'Its work goes on; messages start nothing by it any more.',
    turnOn: 'From then on messages that it fits start work by themselves. Try it first.',
    back: 'Back',
  },

  form: {
    add: 'New rule',
    edit: 'Edit rule',
    save: 'Save',
    cancel: 'Cancel',
    name: 'Name',
    nameHint: 'What people read on the work that it starts: *Sentry errors*.',
    app: 'Messages of',
    appHint: 'Apps that have written here lately.',
    another: 'Another app, by its id',
    appId: 'Id of another app or bot',
    appIdHint: 'A… or B…, as the app’s page in Slack shows it.',
    noApp: 'Choose an app, or give its id.',
    wrongApp: 'An id begins with A or B and goes on with capital letters and digits.',
    ownApp: 'That is me: what I write starts nothing.',
    pattern: 'With these words',
    patternHint:
      'A regular expression in RE2’s syntax, upper and lower case alike: *error|fatal*. Groups such as (?P<issue>[A-Z]+-\\d+) can be used below as {issue}. Empty: every message.',
    nameMissing: 'Give it a name.',
    taskMissing: 'Say what the agent is to do.',
    wrongPattern: (why: string) => `I can’t read that: ${why}.`,
    does: 'Then',
    start: 'Start work',
    ask: 'Ask first, with Start and Not this one',
    task: 'What the agent is to do',
    taskHint:
      'Besides your groups: {text}, {link}, {app}. The whole message goes along as a quote.',
    wrongPlace: (place: string) => `There is no group {${place}} in the pattern.`,
    key: 'What makes two messages the same',
    keyHint: 'For example {issue}. Empty: all their words.',
    window: 'Minutes in which the same again is passed over',
    perHour: 'Most starts in an hour',
    perDay: 'Most starts in a day',
    number: (least: number, most: number) => `A whole number from ${least} to ${most}.`,
    quietFrom: 'Quiet from',
    quietTo: 'Quiet to',
    quietHint: (zone?: string) =>
      `As 22:00, in ${zone === undefined ? 'your time zone' : `the time zone ${zone}`}. In these hours nothing is started or asked.`,
    wrongTime: 'A time such as 22:00.',
    bothTimes: 'Give both times, or none.',
    sameTime: 'From one time to another: these are the same.',
    person: 'Whom its work calls',
    personHint: 'When the agent asks, is done or fails. Empty: nobody.',
  },

  saved: (name: string) =>
    `✅ *${name}* is saved. It is off: try it on the last messages of this channel, then turn it on.`,
  changed: (name: string, isOn: boolean) => `✅ *${name}* is saved, and ${isOn ? 'on' : 'off'}.`,
  turned: (name: string, isOn: boolean, does: 'start' | 'ask') =>
    isOn
      ? `🟢 *${name}* is on: from now on messages that it fits ${does === 'start' ? 'start work' : 'are asked about'}.`
      : `⚪️ *${name}* is off. What it has begun goes on.`,
  deleted: (name: string) => `✅ *${name}* is deleted. What it has begun goes on.`,
  full: (most: number) =>
    `This channel has ${most} rules already. Delete one first: \`/bosun rules\`.`,
  gone: 'That rule was changed or deleted meanwhile. `/bosun rules` shows how it is now.',
  stale: (who: string | undefined, name: string) =>
    `${who ?? 'Somebody'} changed or deleted *${name}* meanwhile, so nothing of yours was saved. \`/bosun rules\` shows how it is now.`,

  tried: {
    headline: (name: string, count: number) =>
      `*${name}*, on the last ${count} messages here, as if it had been on. Nothing was started.`,
    none: (name: string) => `*${name}* fits none of the last messages here.`,
    unread: (code: string) =>
      `Slack does not let me read this channel now (${code}). Try again in a minute.`,
    would: (time: string, words: string) => `▶️ ${time} · ${words}`,
    wouldAsk: (time: string, words: string) => `❔ ${time} · ${words}`,
    not: (time: string, words: string, why: string) => `▫️ ${time} · ${words} · ${why}`,
    more: (count: number) => `and ${count} more that it fits`,
    others: (count: number) =>
      count === 1
        ? '1 other message is none that it fits'
        : `${count} other messages are none that it fits`,
    why: {
      own: 'about work that a rule began',
      quiet: 'in quiet hours',
      duplicate: 'the same again',
      hour: 'beyond the most of an hour',
      day: 'beyond the most of a day',
    } satisfies Record<Exclude<Decision, 'start' | 'ask'>, string>,
    taken: (rule: string) => `for *${rule}*, which comes before it`,
  },

  /** In the Slack thread of an app's message. */
  told: {
    ask: (name: string) => `The rule *${name}* asks: start work on this?`,
    start: 'Start',
    notThisOne: 'Not this one',
    started: (who: string) => `Started by ${who}`,
    declined: (who: string) => `Not started: ${who}`,
    hour: (name: string) =>
      `The rule *${name}* has started as much as it may in an hour. This message and others until then are passed over; \`/bosun rules\` counts them.`,
    day: (name: string) =>
      `The rule *${name}* has started as much as it may in a day. This message and others until then are passed over; \`/bosun rules\` counts them.`,
  },
  notStarted: (why: string) => `A rule was to start work on this, and could not. ${why}`,
  decided: 'Somebody has answered that already.',
  notOn:
    'The rule that asked this is off by now, or deleted. Mention me here with what is to be done.',
  tooOld: 'That was too long ago. Mention me here with what is to be done.',
} as const
