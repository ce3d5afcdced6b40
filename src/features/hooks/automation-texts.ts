import {texts} from '../../slack/texts.ts'

/** What people read of automations: agents that start by themselves. */
export const automationTexts = {
  title: (project: string) => `*Automations of ${project}*`,
  thisProject: 'this project',
  none: 'This project has no automations. An automation starts an agent on a schedule, or when another program calls it.',
  noneYet:
    'This project has no automations. An automation starts an agent on a schedule, or when another program calls it; admins make them with `/bosun automations new`.',
  noMore: 'That was all.',
  unnamed: 'Unnamed automation',
  row: (name: string, facts: readonly string[]) => [`*${name}*`, ...facts].join(' · '),
  on: '🟢 enabled',
  off: (reason: string | undefined) =>
    reason === undefined ? '⚪️ disabled' : `⚪️ disabled (${reason})`,
  deleted: '🗑 deleted',
  /** Reasons as the platform names them; others stand as they come. */
  reasons: {run_as_unavailable: 'the account it ran as no longer exists'},
  /** `next`: when it starts something next, where that is told. */
  schedule: (cron: string, zone: string, next: string | undefined) =>
    `on schedule \`${cron}\` (${zone}${next === undefined ? '' : `, next ${next}`})`,
  incoming: 'when its webhook is called',
  otherTrigger: (type: string) => `on ${type}`,
  noTrigger: 'nothing starts it',
  runs: (count: number) =>
    count === 0 ? 'never ran' : count === 1 ? 'ran once' : `ran ${count} times`,
  lastRun: (when: string) => `last run ${when}`,

  newOne: 'New automation',
  details: 'Details',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  restore: 'Restore',
  follow: 'Follow its runs',
  unfollow: 'Do not follow its runs',
  followed: '👣 What its schedule starts is followed in this channel.',
  follows: (name: string) =>
    `What the schedule of *${name}* starts from now on is followed here: each run gets a Slack thread of its own.`,
  followsNot: (name: string) =>
    `What the schedule of *${name}* starts is no longer followed by itself. *Details* leads to it.`,
  confirmDelete: {
    title: 'Delete this automation?',
    text: 'It stops running for everyone. Restore brings it back.',
  },

  /** One of them, with all that the platform says of it. */
  facts: {
    why: (reason: string) => `⚠️ It was disabled because ${reason}.`,
    whyRaw: (reason: string) => `⚠️ It was disabled. The agent platform’s reason: ${reason}`,
    starts: (what: string) => `*Starts* ${what}`,
    ran: (count: string, last: string) => `*Runs* ${count} · ${last}`,
    neverFired: 'nothing has started it yet',
    model: (model: string) => `*Model* ${model}`,
    effort: (effort: string) => `thinks ${effort}`,
    modes: (modes: string) => `modes ${modes}`,
    size: (size: string) => `*Machine* ${size}`,
    repos: (repos: string) => `*Repositories* ${repos}`,
    threadNew: '*Each run* is new work of its own',
    thread: (mode: string) => `*Each run* ${mode}`,
    captain: (id: string) => `*Captain* ${id}`,
    runAs: (who: string) => `*Runs as* ${who}`,
    perDay: (count: number) => `*At most* ${count === 1 ? 'one run' : `${count} runs`} a day`,
    filed: (how: string) => `*Its work* is ${how}`,
    pinned: 'pinned',
    folders: (folders: string) => `filed in ${folders}`,
    tags: (tags: string) => `tagged ${tags}`,
    chat: '*Posts into chat* in the name of a person',
    servers: (on: string, off: string) =>
      `*Tool servers* ${[on === '' ? '' : `on: ${on}`, off === '' ? '' : `off: ${off}`].filter(Boolean).join(' · ')}`,
    created: (when: string) => `Created ${when}`,
    changed: (when: string) => `changed ${when}`,
    task: '*What it does*',
    run: (title: string, when: string) => `▶️ *${title}* · ${when}`,
    untitled: 'New work',
  },

  done: {
    disable: (name: string) => `*${name}* is disabled: it starts no more runs.`,
    enable: (name: string) => `*${name}* is enabled.`,
    delete: (name: string) => `*${name}* is deleted. Restore brings it back.`,
    restore: (name: string) => `*${name}* is back.`,
  },
  gone: 'This automation is no longer in this channel’s project. `/bosun automations` shows those that are.',
  readOnly:
    'This channel’s key can read automations but not change them. An admin can choose another with `/bosun connect`.',
  notAdmin: 'Only admins can make automations. Ask one to type `/bosun automations new` here.',
  silent: 'The agent platform does not answer. Try again in a moment.',

  form: {
    title: texts.newAutomation,
    create: 'Create',
    cancel: 'Cancel',
    name: 'Name',
    prompt: 'What should the agent do?',
    promptHint: 'A webhook’s payload is added below, quoted and marked as written by others.',
    noTrigger: 'Write a schedule, or tick below that another program starts it; both is fine.',
    called: 'What else starts it',
    incoming: 'Another program, by a webhook',
    cron: 'Schedule',
    cronHint:
      'Minute, hour, day, month, weekday: “0 9 * * 1-5” is every working day at nine. Several: one a line, each with its own time zone behind it if you like.',
    zone: 'Time zone',
    zoneHint: 'For example Europe/Berlin or UTC.',
    keep: 'Webhook address (if another program starts it)',
    keepIt: 'Keep it as a hook of this channel',
    keepHint:
      'I seal it and give you my own address and secret instead. Otherwise I show it to you once.',
    more: 'More …',
    description: 'Description',
    descriptionHint: 'For people, in the list of automations.',
    repos: 'Repositories',
    reposHint: (known: string) =>
      known === ''
        ? 'One a line, with a branch if it is not the usual one: acme/web@main.'
        : `One a line, with a branch if it is not the usual one. This project has ${known}.`,
    size: 'Machine size',
    usual: 'The project’s own',
    thread: 'Where each run works',
    threadNew: 'In new work of its own',
    runAs: 'Runs as',
    runAsHint: 'A member of your organization on the agent platform.',
    runAsTyped: 'The e-mail address of a member of your organization on the agent platform.',
    runAsUsual: 'Whoever owns this channel’s key',
    perDay: 'Runs a day, at most',
    perDayHint: 'Left empty: as many as come.',
    folders: 'File its work in folders',
    foldersHint:
      'Ids of folders, parted by commas. `/bosun folders` lists those that are known here.',
    tags: 'Tags of its work',
    tagsHint: 'Parted by commas.',
    also: 'Besides',
    pin: 'Pin its work',
    disabled: 'Create it disabled: nothing starts it until somebody enables it',
    creating: 'Creating…',
    inChannel: (name: string) =>
      `✅ *${name}* is created. What there is to know stands in the channel, where only you see it.`,
    empty: 'Write something here.',
    fields:
      'A schedule has five fields: minute, hour, day, month, weekday. For example: 0 9 * * 1-5',
    wrong: (word: string, field: string) =>
      `That is not a valid schedule: “${word}” is no ${field}.`,
    never: 'That schedule never comes up.',
    tooMany: (most: number) =>
      `That is more than ${most} schedules. Make a second automation for the rest.`,
    inLine: (line: number, trouble: string) => `Line ${line}: ${trouble}`,
    wrongRepo: (word: string) => `Write each like acme/web or acme/web@main, not “${word}”.`,
    needsNumber: 'Write a whole number from 1 to 10,000, or leave it empty.',
    unknownZone: 'I don’t know that time zone. Write it like Europe/Berlin, or UTC.',
  },

  /** Nothing was created, and why; below the input that it is about. */
  trouble: {
    at: (why: string) => `⚠️ ${why}`,
    refused: (why: string) => `The agent platform does not take this: ${why}`,
    unsaid: 'The agent platform declined this, and gave no reason.',
    size: (size: string) =>
      `The plan does not include machines of size *${size}*. Choose another one.`,
    byok: 'The plan does not include models with your own key. Choose another model, or leave it empty.',
    feature: 'This needs a feature that the plan does not include.',
    model: (model: string, usable: string) =>
      usable === ''
        ? `The model *${model}* cannot be used. Leave it empty for the project’s own.`
        : `The model *${model}* cannot be used; these can: ${usable}.`,
    branch: (repo: string) =>
      `Which branch of *${repo}*? I can’t tell the usual one. Write it behind, like acme/web@main.`,
    noMember: (word: string) =>
      `No member of your organization on the agent platform has the e-mail address *${word}*.`,
    nothing: (why: string) => `${why} Nothing was created.`,
  },

  made: (name: string) => `*${name}* is created.`,
  nextRun: (when: string) => `Its next run is ${when}.`,
  startsDisabled: 'It is disabled: press *Enable* when it may start.',
  addressOnce: (address: string) =>
    `Its webhook address, shown only once. Whoever has it can start runs:\n${address}`,
  addressLost:
    'Its webhook address was lost on the way: the agent platform shows it once, and I did not get that answer. Delete it in `/bosun automations`, and create it again.',
  notKept: {
    sealing: 'I could not keep it as a hook: whoever runs Bosun has set no BOSUN_KEYS.',
    place: 'I could not keep it as a hook: I am not in this channel.',
    origin: 'I could not keep it as a hook: the address is not where I reach the agent platform.',
  },
} as const
