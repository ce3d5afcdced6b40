/** What people read of hooks: addresses of ours that pass deliveries on to automations. */
export const hookTexts = {
  title: '*Hooks of this channel*',
  none: 'This channel has no hook. A hook is an address that other programs call to start an automation.',
  noMore: 'That was all.',
  row: (name: string, state: 'on' | 'off', last: string) =>
    `*${name}* · ${state === 'on' ? '🟢 on' : '⚪️ off'} · ${last}`,
  never: 'nothing delivered yet',
  last: (when: string, outcome: string) => `last delivery ${when}, ${outcome}`,
  address: (address: string) => `Address: ${address}`,
  noAddress: (path: string) =>
    `Address: \`${path}\` on this Bosun. Whoever runs it has not set PUBLIC_URL, so I don’t know what stands in front of that.`,
  lost: '⚠️ I can’t open its secrets any more, so it takes nothing. Ask whoever runs Bosun to look at BOSUN_KEYS; if the key that sealed them is lost, delete this hook and make a new one.',
  formerUntil: (when: string) => `The former secret counts until ${when}.`,

  log: 'Log',
  newHook: 'New hook',
  newSecret: 'New secret',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  more: 'More',
  sendAgain: 'Send again',

  confirm: {
    cancel: 'Cancel',
    delete: {
      title: 'Delete this hook?',
      text: 'Its address stops working at once, and what waits is not passed on. The automation stays.',
    },
    secret: {
      title: 'Make a new secret?',
      text: 'The one that holds now counts for 24 hours more, so that senders can change over.',
    },
    again: {
      title: 'Run it once more?',
      text: 'The automation has run for this delivery. It starts another run.',
    },
  },

  disabled: (name: string) =>
    `*${name}* is off: senders are refused, and what waits goes on waiting.`,
  enabled: (name: string) => `*${name}* is on.`,
  deleted: (name: string) => `The hook of *${name}* is deleted. Its address is dead.`,
  gone: 'This hook is not there any more. `/bosun hooks` shows those of this channel.',
  rotatedAlready: 'Its secret has been replaced since. `/bosun hooks` shows how it stands.',
  rotated: (name: string) => `*${name}* has a new secret.`,
  notAdmin: 'Only admins make hooks. Ask one to type `/bosun hooks new` here.',
  noSealing:
    'A hook keeps secrets, and whoever runs Bosun has set no BOSUN_KEYS to seal them with. Ask them to set it.',
  notIn: 'I am not in this channel. Invite me with */invite @Bosun*, then ask once more.',

  made: (name: string) => `*${name}* has a hook in this channel.`,
  /** Shown once, to whoever made it. */
  secretOnce: (secret: string) =>
    `Its secret, which I show this once:\n\`${secret}\`\nSenders add the header \`Authorization: Bearer <secret>\`, or sign: GitHub with this as its webhook secret, others with \`x-bosun-timestamp\` and \`x-bosun-signature\` (\`docs/hooks.md\`).`,

  form: {
    title: 'New hook',
    create: 'Create',
    cancel: 'Cancel',
    close: 'Close',
    explain:
      'The agent platform shows the webhook address of an automation once, when that is made. Paste it here: I keep it sealed, and give you an address and a secret in its place.',
    url: 'Webhook address of the automation',
    urlHint: 'https://…/webhooks/automations/…',
    name: 'Name of the automation',
    saving: 'Saving…',
    urlMissing: 'Paste the address.',
    urlWrong: 'That is no webhook address of an automation: https://…/webhooks/automations/…',
    notOurs: 'That address is not one of the agent platform that I work with.',
    nameMissing: 'Give it a name.',
    lost: 'The sealing keys changed meanwhile, and the address was lost. Please paste it once more.',
  },

  logTitle: (name: string) => `*Deliveries to ${name}*`,
  logNone: 'Nothing was delivered to this hook yet.',
  logRow: (when: string, outcome: string, notes: readonly string[]) =>
    [when, outcome, ...notes].join(' · '),
  attempts: (count: number) => `${count} attempts`,
  repeats: (count: number) => (count === 1 ? 'came once more' : `came ${count} times more`),
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
    queued: 'It is on its way again. What comes of it stands here in a moment.',
    noBody: 'That one is too old: I keep the last 100 deliveries of a hook.',
    waits: 'That one is still on its way.',
    full: 'Too many deliveries of this hook wait already. Try again later.',
    off: 'This hook is off. Enable it first.',
  },

  receipts: {
    accepted: (name: string) => `⚡️ *${name}* runs: something was delivered to its hook.`,
    duplicate: (name: string) =>
      `⚡️ *${name}* had run for this delivery already. Nothing new was started.`,
    'no-match': (name: string) =>
      `⚪️ *${name}* did not run: its filters don’t match what was delivered.`,
    'not-found': (name: string) =>
      `⚠️ *${name}* did not run: its webhook address is wrong, or the automation is disabled. \`/bosun automations\` shows which.`,
    refused: (name: string) =>
      `⚠️ *${name}* did not run: the agent platform declined what was delivered.`,
    expired: (name: string) =>
      `⚠️ *${name}* did not run: what was delivered did not get through for a day, and I gave up.`,
    unsaid: (name: string) =>
      `⚠️ Something was delivered to the hook of *${name}* and passed on, but the agent platform did not say whether it runs.`,
  },
  /** Several deliveries in one message: how many came, then what came of how many. */
  receiptOfMany: (name: string, count: number) => `*${name}*: ${count} deliveries to its hook`,
  receiptLines: {
    accepted: (count: number) => `⚡️ ${count} started a run`,
    duplicate: (count: number) => `⚡️ ${count} had run already, and started nothing new`,
    'no-match': (count: number) => `⚪️ ${count} did not run: the filters don’t match`,
    'not-found': (count: number) =>
      `⚠️ ${count} did not run: the webhook address is wrong, or the automation is disabled. \`/bosun automations\` shows which.`,
    refused: (count: number) =>
      `⚠️ ${count} did not run: the agent platform declined ${count === 1 ? 'it' : 'them'}`,
    expired: (count: number) => `⚠️ ${count} did not run: no success for a day, and I gave up`,
    unsaid: (count: number) =>
      `⚠️ ${count} passed on, but the agent platform did not say whether ${count === 1 ? 'it runs' : 'they run'}`,
  },
  unknownReceiptLine: (count: number) => `❔ ${count} came to something that I don’t know`,
  unknownReceipt: (name: string) => `⚡️ Something was delivered to the hook of *${name}*.`,

  /** The message shortcut. */
  automate: {
    title: 'Send to automation',
    send: 'Send',
    which: 'Automation',
    loading: 'One moment…',
    none: 'This channel has no hook that is on, so there is no automation to send this to. An admin makes one with `/bosun hooks new`.',
    sent: (name: string) =>
      `It is on its way to *${name}*. What comes of it stands here in a moment.`,
    tooOld: 'I don’t know that message any more. Use the shortcut on it once more.',
  },
} as const
