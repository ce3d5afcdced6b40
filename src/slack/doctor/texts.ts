/** What the doctor says, in Slack and on the command line. */
export const doctorTexts = {
  title: '*Bosun’s health*',
  allWell: 'All is well.',
  wrong: (count: number) => (count === 1 ? '1 thing is wrong.' : `${count} things are wrong.`),

  token: {
    name: 'token',
    well: (team: string) => `accepted by Slack, for ${team}`,
    refused: (code: string) => `rejected by Slack (${code})`,
    fix: 'Install the app again, replace SLACK_BOT_TOKEN, and restart Bosun',
    silent: (why: string) => `Slack does not answer (${why})`,
    silentFix:
      'Check SLACK_API_URL and the connection from this machine to Slack; status.slack.com says how Slack is',
  },
  scopes: {
    name: 'scopes',
    untold: 'Slack does not say which there are',
    well: (count: number) => `all ${count}`,
    /** docs/scopes.md says what that means. */
    without: (left: readonly string[]) =>
      `all that are needed; left out: ${left.join(', ')} (docs/scopes.md says what is lost without)`,
    missing: (scopes: readonly string[]) => `${scopes.join(', ')} missing`,
    fix: 'Update the app from manifest.yml (api.slack.com/apps → App Manifest) and reinstall it',
  },
  clock: {
    name: 'clock',
    untold: 'Slack does not say what time it is',
    well: 'same as Slack’s',
    wrong: (seconds: number) =>
      `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} Slack’s`,
    fix: 'Set this machine’s clock (NTP): Slack’s signatures are good for five minutes',
    refuses: (seconds: number) =>
      `all are refused: this machine’s clock is ${Math.round(Math.abs(seconds) / 60)} minutes ${seconds > 0 ? 'ahead of' : 'behind'} Slack’s, whose signatures are good for five. Set it (NTP)`,
  },
  /** What is deleted by its age. */
  deleting: {
    name: 'retention',
    well: 'deletes what has served its time',
    unproved:
      'deletes nothing now: neither Slack nor the agent platform has said in the last ten minutes what time it is',
    off: (time: string, where: 'ahead of' | 'behind', from: 'slack' | 'platform') =>
      `nothing is deleted: this machine’s clock is ${time} ${where} ${from === 'slack' ? 'Slack’s' : 'the agent platform’s'}`,
    behindRows: (time: string) =>
      `nothing is deleted: this machine’s clock is ${time} behind what was written to the database last`,
    fix: 'Set this machine’s clock (NTP); what Bosun keeps stays until the clock is right',
  },
  arrivals: {
    name: 'events',
    well: (counts: string) => `in the last two days: ${counts}`,
    none: 'nothing has arrived in the last two days, and Slack does not tell what it would send',
    fix: 'If somebody did write to Bosun, compare the app’s Event Subscriptions, Interactivity and Slash Commands with manifest.yml',
  },
  sockets: {
    name: 'sockets',
    http: 'none: Slack delivers by HTTP',
    well: (ages: readonly string[]) => `${ages.length} open, for ${ages.join(' and ')}`,
    one: (age: string) => `1 of 2 open, for ${age}; the other one is coming`,
    none: 'none is open: Slack cannot deliver anything',
    fix: 'Check SLACK_APP_TOKEN and the connection to Slack; Bosun will keep trying',
  },
  key: {
    name: (label: string, last4: string) => `key ${label} …${last4}`,
    environment: 'key of the environment',
    well: (count: number) => (count === 1 ? 'reaches 1 project' : `reaches ${count} projects`),
    noProject: 'is accepted, but reaches no project',
    noProjectFix: 'Give it access to one on the agent platform, or replace it',
    gone: 'was deleted',
    refused: 'the agent platform refuses it',
    fix: 'An admin replaces it: /bosun connect',
    environmentFix: 'Replace PLATFORM_API_KEY and restart Bosun',
    silent: (why: string) => `the agent platform does not answer (${why})`,
    silentFix: 'Check PLATFORM_BASE_URL and the platform; Bosun will keep trying',
    none: 'there is none',
    noneFix: 'An admin connects a channel: /bosun connect',
  },
  streams: {name: 'streams', open: (count: number) => `${count} open`},
  writing: {
    name: 'writing',
    well: 'nothing is refused',
    fix: 'Fix what Slack names; Bosun will try again by itself',
  },
  links: {
    name: 'links',
    none: 'there is no PLATFORM_WEB_URL, so that nobody knows links to work',
    well: (count: number) => `Slack has told of ${count} in the last two days`,
    unheard: (host: string) => `Slack has told of none to ${host} in the last two days`,
    fix: 'If somebody posted one, the app has not that domain: npm run manifest prints the manifest with it',
  },
  digests: {
    name: 'digests',
    /** Each with why. */
    refused: (places: readonly string[]) => `Slack did not take the last one: ${places.join(', ')}`,
    one: (where: string, code: string) => `${where} (${code})`,
    fix: 'Invite me there again, or turn the digest off: `/bosun digest` in the channel.',
  },
  rates: {
    name: 'rates',
    well: (count: number) => (count === 0 ? 'nothing was asked of Slack yet' : 'there is room'),
    low: (methods: readonly string[]) => methods.join(', '),
    left: (method: string, left: number, most: number) => `${method} ${left} of ${most} left`,
    rests: (method: string, seconds: number) => `${method} paused for ${seconds} s`,
  },
  database: {
    name: 'database',
    well: (size: string, log: string) => `intact, ${size}, log ${log}`,
    server: (version: string, size: string) => `PostgreSQL ${version} answers, ${size}`,
    wrong: (why: string) => `SQLite finds it damaged: ${why}`,
    fix: 'Stop Bosun and put a backup in its place: npm run restore -- FILE',
    longLog: (size: string) => `its log has grown to ${size}`,
    longLogFix: 'Close programs that keep reading the database',
  },
  files: {
    name: 'files',
    well: 'only the user that Bosun runs as can read them',
    wrong: (files: readonly string[]) => `others on this machine can read ${files.join(', ')}`,
    fix: (files: readonly string[]) => `As their owner: chmod 600 ${files.join(' ')}`,
  },
  disk: {
    name: 'disk',
    says: (room: string) => `${room} free`,
    fix: 'Free some space: backups and the log need room',
  },
  sealing: {
    name: 'sealing keys',
    none: 'BOSUN_KEYS is empty: channels cannot be given keys of their own',
    noneFix: 'Make one: npm run keys -- make',
    says: (first: string, count: number) =>
      `${first} seals, ${count === 1 ? '1 value is' : `${count} values are`} sealed`,
    old: (ids: readonly string[]) => `${ids.join(', ')} still in use`,
    oldFix: 'Seal again with the first one: npm run keys -- rotate',
  },
  version: {
    name: 'version',
    says: (version: string, node: string) => `Bosun ${version}, Node ${node}`,
  },
  bot: {
    name: 'bot',
    well: (at: string) => `runs, and is well (${at})`,
    unwell: (why: string) => `runs, and says: ${why}`,
    fix: 'See the log and /bosun doctor',
    stopped: 'does not run: start it with npm start',
    silent: (at: string) => `runs, and does not answer at ${at}`,
    silentFix: 'Check HOST and PORT here, or look at its log',
    many: 'serves many workspaces: an admin of each asks `/bosun doctor` there',
    unknown: 'may run: the database that says so cannot be asked',
    unasked: 'runs; with PORT=0 nobody knows where to ask it',
  },
} as const
