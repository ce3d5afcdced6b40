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
  schedule: (cron: string, zone: string) => `on schedule \`${cron}\`, ${zone}`,
  incoming: 'when its webhook is called',
  otherTrigger: (type: string) => `on ${type}`,
  noTrigger: 'nothing starts it',
  runs: (count: number) =>
    count === 0 ? 'never ran' : count === 1 ? 'ran once' : `ran ${count} times`,
  lastRun: (when: string) => `last run ${when}`,

  newOne: 'New automation',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  restore: 'Restore',
  confirmDelete: {
    title: 'Delete this automation?',
    text: 'It stops running for everyone. Restore brings it back.',
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
    title: 'New automation',
    create: 'Create',
    cancel: 'Cancel',
    name: 'Name',
    prompt: 'What should the agent do?',
    promptHint: 'A webhook’s payload is added below, quoted and marked as written by others.',
    trigger: 'What starts it',
    schedule: 'A schedule',
    incoming: 'Another program, by a webhook',
    cron: 'Schedule',
    cronHint:
      'Only for a schedule. Minute, hour, day, month, weekday: “0 9 * * 1-5” is every working day at nine.',
    zone: 'Time zone',
    zoneHint: 'For example Europe/Berlin or UTC.',
    model: 'Model',
    size: 'Machine size',
    usual: 'The project’s own',
    keep: 'Webhook address (if another program starts it)',
    keepIt: 'Keep it as a hook of this channel',
    keepHint:
      'I seal it and give you my own address and secret instead. Otherwise I show it to you once.',
    empty: 'Write something here.',
    fields:
      'A schedule has five fields: minute, hour, day, month, weekday. For example: 0 9 * * 1-5',
    wrong: (why: string) => `That is not a valid schedule: ${why}`,
    never: 'That schedule never comes up.',
    unknownZone: 'I don’t know that time zone. Write it like Europe/Berlin, or UTC.',
  },

  made: (name: string) => `*${name}* is created.`,
  nextRun: (when: string) => `Its next run is ${when}.`,
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
