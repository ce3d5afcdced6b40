/** What people read of automations: agents that start by themselves. */
export const automationTexts = {
  title: (project: string) => `*Automations of ${project}*`,
  thisProject: 'this project',
  none: 'This project has no automation. An automation starts an agent on a schedule, or when another program calls it.',
  noMore: 'That was all.',
  unnamed: 'Unnamed automation',
  row: (name: string, facts: readonly string[]) => [`*${name}*`, ...facts].join(' · '),
  on: '🟢 enabled',
  off: (reason: string | undefined) =>
    reason === undefined ? '⚪️ disabled' : `⚪️ disabled (${reason})`,
  deleted: '🗑 deleted',
  /** Reasons as the platform names them; others stand as they come. */
  reasons: {run_as_unavailable: 'whoever it ran as is not there any more'},
  schedule: (cron: string, zone: string) => `on schedule \`${cron}\`, ${zone}`,
  incoming: 'when its webhook is called',
  otherTrigger: (type: string) => `on ${type}`,
  noTrigger: 'nothing starts it',
  runs: (count: number) =>
    count === 0 ? 'never ran' : count === 1 ? 'ran once' : `ran ${count} times`,
  lastRun: (when: string) => `last ${when}`,

  newOne: 'New automation',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  restore: 'Restore',
  more: 'More',
  confirmDelete: {
    title: 'Delete this automation?',
    text: 'It starts no more runs, wherever people see it. Restore brings it back.',
  },

  done: {
    disable: (name: string) => `*${name}* is disabled: it starts no more runs.`,
    enable: (name: string) => `*${name}* is enabled.`,
    delete: (name: string) => `*${name}* is deleted. Restore brings it back.`,
    restore: (name: string) => `*${name}* is back.`,
  },
  gone: 'This automation is not in this channel’s project any more. `/bosun automations` shows those that are.',
  readOnly:
    'The key of this channel may read automations and not change them. An admin gives the channel another one with `/bosun connect`.',
  notAdmin: 'Only admins make automations. Ask one to type `/bosun automations new` here.',
  silent: 'The agent platform does not answer. Try it again in a moment.',

  form: {
    title: 'New automation',
    create: 'Create',
    cancel: 'Cancel',
    name: 'Name',
    prompt: 'What should the agent do?',
    promptHint: 'What a webhook delivers stands below it, quoted, as something that others wrote.',
    trigger: 'What starts it',
    schedule: 'A schedule',
    incoming: 'Another program, by a webhook',
    cron: 'Schedule',
    cronHint:
      'Where a schedule starts it. Minute, hour, day, month, weekday: “0 9 * * 1-5” is every working day at nine.',
    zone: 'Time zone',
    zoneHint: 'For example Europe/Berlin or UTC.',
    model: 'Model',
    size: 'Machine size',
    usual: 'As the project has it',
    keep: 'Webhook address, where another program starts it',
    keepIt: 'Keep it as a hook of this channel',
    keepHint:
      'I seal it and give you an address and a secret of mine in its place. Otherwise I show it to you once.',
    empty: 'Write something here.',
    fields:
      'A schedule has five fields: minute, hour, day, month, weekday. For example: 0 9 * * 1-5',
    wrong: (why: string) => `That is no schedule: ${why}`,
    never: 'That moment never comes.',
    unknownZone: 'I don’t know that time zone. Write it like Europe/Berlin, or UTC.',
  },

  made: (name: string) => `*${name}* is made.`,
  nextRun: (when: string) => `It runs next ${when}.`,
  addressOnce: (address: string) =>
    `Its webhook address, which is shown this once. Whoever has it can start runs:\n${address}`,
  addressLost:
    'Its webhook address was lost on the way: the agent platform shows it once, and I did not get that answer. Delete it in `/bosun automations`, and make it anew.',
  notKept: {
    sealing: 'I could not keep it as a hook: whoever runs Bosun has set no BOSUN_KEYS.',
    place: 'I could not keep it as a hook: I am not in this channel.',
    origin: 'I could not keep it as a hook: the address is not where I reach the agent platform.',
  },
} as const
