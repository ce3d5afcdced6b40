/** What people read of hooks: addresses of ours that pass deliveries on to automations. */
export const hookTexts = {
  /** What `help` says. */
  help: {
    '/bosun': [
      '`/bosun automations [new]` agents that start by themselves · `/bosun hooks [new]` addresses that start them',
    ],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun automations':
      'Those of the project: what starts each and when it last ran, and [Details]: all that is set of one. Admins use [Disable], [Enable], [Delete], [Restore], and [Follow its runs] of a schedule that was made in this channel.',
    '/bosun automations new':
      'A form, which [More …] makes longer: several schedules, model, repositories, whom it runs as and more. A webhook’s address can be kept as a hook.',
    '/bosun hooks':
      'Addresses that other programs call, with [Log]; admins have [New secret], [Revoke old secret], [Follow its runs], [Disable] and [Delete], and [Show] what was given up, with [Send again] and [Discard]. [GitHub webhook] makes one to which GitHub says how pull requests stand.',
    '/bosun hooks new':
      'A form for an automation that exists; then the hook’s address and secret, once. [hooks.md](hooks.md) says how to call it.',
  },
  title: '*Hooks of this channel*',
  none: 'This channel has no hooks. A hook is an address that other programs call to start an automation.',
  noneYet:
    'This channel has no hooks. A hook is an address that other programs call to start an automation; admins make them with `/bosun hooks new`.',
  noMore: 'That was all.',
  row: (name: string, state: 'on' | 'off', last: string) =>
    `*${name}* · ${state === 'on' ? '🟢 on' : '⚪️ off'} · ${last}`,
  never: 'nothing delivered yet',
  last: (when: string, outcome: string) => `last delivery ${when}, ${outcome}`,
  address: (address: string) => `Address: ${address}`,
  noAddress: (path: string) =>
    `Address: \`${path}\` on this Bosun. Whoever runs it has not set PUBLIC_URL, so I don’t know what comes before that.`,
  lost: '⚠️ I can no longer open its secrets, so it accepts nothing. Ask whoever runs Bosun to look at BOSUN_KEYS; if the key that sealed them is lost, delete this hook and make a new one.',
  formerUntil: (when: string) => `The previous secret is valid until ${when}.`,

  log: 'Log',
  newHook: 'New hook',
  newSecret: 'New secret',
  revoke: 'Revoke old secret',
  follow: 'Follow its runs',
  unfollow: 'Do not follow its runs',
  followed: '👣 What it starts is followed in this channel.',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  sendAgain: 'Send again',

  confirm: {
    cancel: 'Cancel',
    delete: {
      title: 'Delete this hook?',
      text: 'Its address stops working at once, and waiting deliveries are dropped. The automation stays.',
    },
    revoke: {
      title: 'Revoke the old secret?',
      text: 'Senders that still use it are refused at once. The newest secret goes on.',
    },
    secret: {
      title: 'Make a new secret?',
      text: 'The current one stays valid for 24 more hours, so senders can switch.',
    },
    again: {
      title: 'Run it again?',
      text: 'The automation already ran for this delivery. This starts another run.',
    },
  },

  disabled: (name: string) =>
    `*${name}* is off: senders are refused; waiting deliveries stay queued.`,
  enabled: (name: string) => `*${name}* is on.`,
  follows: (name: string) =>
    `What the hook of *${name}* starts from now on is followed here: each run gets a Slack thread of its own.`,
  followsNot: (name: string) =>
    `What the hook of *${name}* starts is no longer followed by itself. Its messages have *Follow here*.`,
  deleted: (name: string) => `The hook of *${name}* is deleted. Its address no longer works.`,
  gone: 'This hook no longer exists. `/bosun hooks` shows those of this channel.',
  rotatedAlready:
    'Its secret was replaced in the meantime. `/bosun hooks` shows the hook as it is now.',
  rotated: (name: string) => `*${name}* has a new secret.`,
  revoked: (name: string) => `Only the newest secret of *${name}* is valid now.`,
  notAdmin: 'Only admins can make hooks. Ask one to type `/bosun hooks new` here.',
  noSealing:
    'A hook keeps secrets, and whoever runs Bosun has set no BOSUN_KEYS to seal them with. Ask them to set it.',
  notIn: 'I am not in this channel. Invite me with */invite @Bosun*, then ask again.',

  made: (name: string) => `*${name}* has a hook in this channel.`,
  /** Hooks to which GitHub says how pull requests stand. */
  github: {
    button: 'GitHub webhook',
    row: (name: string, state: 'on' | 'off', heard: string) =>
      `*${name}* · ${state === 'on' ? '🟢 on' : '⚪️ off'} · ${heard}`,
    heard: (when: string) => `GitHub last spoke ${when}`,
    unheard: 'GitHub has not spoken yet',
    ofProject: '🔀 The cards of pull requests of this channel’s project show what GitHub says.',
    ofAll: '🔀 The cards of pull requests in the whole workspace show what GitHub says.',
    on: (name: string) => `*${name}* is on.`,
    off: (name: string) => `*${name}* is off: GitHub is refused, and cards stay as they are.`,
    deleted: (name: string) =>
      `The webhook of *${name}* is deleted. What GitHub said through it is forgotten; delete it at GitHub, too.`,
    rotated: (name: string) => `*${name}* has a new secret. Put it in at GitHub within 24 hours.`,
    title: 'GitHub webhook',
    explain: (project: string | undefined) =>
      project === undefined
        ? 'GitHub tells me how pull requests stand: checks, reviews, conflicts, merged. This channel is connected to no project of its own, so what GitHub says can only count for the whole workspace.'
        : `GitHub tells me how pull requests stand: checks, reviews, conflicts, merged. The cards of work in *${project}* show it.`,
    name: 'Repository or organization',
    nameHint: 'acme/web, or acme for all of them: only to tell it from others here.',
    nameMissing: 'Say for which repository or organization.',
    reach: 'How far it counts',
    wide: 'For the whole workspace',
    wideHint: 'Otherwise for work in the project of this channel alone.',
    noProject:
      'This channel is connected to no project of its own. Tick *For the whole workspace*, or choose a project with `/bosun connect` first.',
    made: (name: string, isWide: boolean) =>
      isWide
        ? `GitHub can tell me about *${name}* now, for the whole workspace.`
        : `GitHub can tell me about *${name}* now, for work in this channel’s project.`,
    /** What is to be set at GitHub; the secret is shown once, to whoever made it. */
    setUp: (secret: string) =>
      [
        'At GitHub, in the settings of the repository or organization, choose *Webhooks → Add webhook*:',
        '• *Payload URL:* the address above',
        '• *Content type:* `application/json`',
        `• *Secret*, shown only once: \`${secret}\``,
        '• *Let me select individual events:* Pull requests, Pull request reviews, Check runs, Statuses',
      ].join('\n'),
    newSecret: (secret: string) => `Its secret, shown only once:\n\`${secret}\``,
    /** GitHub shows the answer under *Recent deliveries*. */
    wrongType: 'At GitHub, set the content type of this webhook to application/json.',
  },
  /** Shown once, to whoever made it. */
  secretOnce: (secret: string) =>
    `Its secret, shown only once:\n\`${secret}\`\nSenders add the header \`Authorization: Bearer <secret>\`, or sign: GitHub with this as its webhook secret, others with \`x-bosun-timestamp\` and \`x-bosun-signature\`: whoever runs Bosun has the details.`,

  form: {
    title: 'New hook',
    create: 'Create',
    cancel: 'Cancel',
    close: 'Close',
    explain:
      'The agent platform shows an automation’s webhook address once, when the automation is created. Paste it here: I seal it and give you an address and a secret to use instead.',
    url: 'Webhook address of the automation',
    urlHint: 'https://…/webhooks/automations/…',
    name: 'Name of the automation',
    saving: 'Saving…',
    urlMissing: 'Paste the address.',
    urlWrong: 'That is not an automation’s webhook address: https://…/webhooks/automations/…',
    notOurs: 'That address is not on the agent platform that I work with.',
    nameMissing: 'Give it a name.',
    lost: 'The sealing keys changed in the meantime, and the address was lost. Please paste it again.',
  },

  logTitle: (name: string) => `*Deliveries to ${name}*`,
  logNone: 'Nothing was delivered to this hook yet.',
  logRow: (when: string, outcome: string, notes: readonly string[]) =>
    [when, outcome, ...notes].join(' · '),
  attempts: (count: number) => `${count} attempts`,
  repeats: (count: number) => (count === 1 ? 'came 1 more time' : `came ${count} more times`),
  outcomes: {
    waiting: '⏳ waiting',
    accepted: '✅ ran',
    duplicate: '✅ had run before',
    'no-match': '⚪️ no match',
    'not-found': '⚠️ address wrong or automation disabled',
    refused: '⚠️ declined',
    expired: '⚠️ given up after a day',
    unsaid: '❔ passed on, outcome unknown',
  },
  again: {
    queued: 'It is on its way again. The outcome appears here in a moment.',
    noBody: 'That one is too old: I keep the last 100 deliveries of a hook.',
    waits: 'That one is still on its way.',
    full: 'Too many deliveries are already waiting. Try again later.',
    off: 'This hook is off. Enable it first.',
  },

  receipts: {
    accepted: (name: string) => `⚡️ *${name}* started: its hook received a delivery.`,
    duplicate: (name: string) =>
      `⚡️ *${name}* already ran for this delivery. Nothing new was started.`,
    'no-match': (name: string) =>
      `⚪️ *${name}* did not run: its filters don’t match what was delivered.`,
    'not-found': (name: string) =>
      `⚠️ *${name}* did not run: its webhook address is wrong, or the automation is disabled. \`/bosun automations\` shows which.`,
    refused: (name: string) =>
      `⚠️ *${name}* did not run: the agent platform declined what was delivered.`,
    expired: (name: string) =>
      `⚠️ *${name}* did not run: the delivery did not get through. I tried for a day and gave up.`,
    unsaid: (name: string) =>
      `⚠️ Something was delivered to the hook of *${name}* and passed on, but the agent platform did not say whether it runs.`,
  },
  /** Several deliveries in one message: how many came, then what came of how many. */
  receiptOfMany: (name: string, count: number) => `*${name}*: ${count} deliveries to its hook`,
  receiptLines: {
    accepted: (count: number) => `⚡️ ${count} started a run`,
    duplicate: (count: number) => `⚡️ ${count} had already run, and started nothing new`,
    'no-match': (count: number) => `⚪️ ${count} did not run: the filters don’t match`,
    'not-found': (count: number) =>
      `⚠️ ${count} did not run: the webhook address is wrong, or the automation is disabled. \`/bosun automations\` shows which.`,
    refused: (count: number) =>
      `⚠️ ${count} did not run: the agent platform declined ${count === 1 ? 'it' : 'them'}`,
    expired: (count: number) => `⚠️ ${count} did not run: I tried for a day and gave up`,
    unsaid: (count: number) =>
      `⚠️ ${count} passed on, but the agent platform did not say whether ${count === 1 ? 'it runs' : 'they run'}`,
  },
  /** Below what came of a delivery: the work that it began. */
  run: {
    runs: (title: string) => `▶️ It runs: *${title}*`,
    more: (count: number) => `▶️ … and ${count} more`,
    untitled: 'New work',
    followHere: 'Follow here',
    gone: 'I no longer know this run. `/bosun find` may find its work.',
  },
  unknownReceiptLine: (count: number) => `❔ ${count} with an outcome that I don’t know`,
  unknownReceipt: (name: string) => `⚡️ Something was delivered to the hook of *${name}*.`,

  /** The message shortcut. */
  automate: {
    title: 'Send to automation',
    send: 'Send',
    which: 'Automation',
    fromPrivate:
      '🔒 This is from a place that is not open to everyone. In Slack I show what the automation does with it only here, as far as I find it; on the agent platform it belongs to the project, and can be seen by whoever sees the project’s work.',
    none: 'This channel has no hook that is on, so there is no automation to send this to. An admin can make one with `/bosun hooks new`.',
    sent: (name: string) => `It is on its way to *${name}*. The outcome appears here in a moment.`,
    tooOld: 'I no longer know that message. Use the shortcut on it again.',
  },
} as const
