import type {ProjectSource} from '../../agents/channel-settings.ts'

/** What people read of what lies around their work: what was found, projects, people, folders, costs. */
export const browseTexts = {
  /** What `help` says. */
  help: {
    '/bosun': [
      '`/bosun find WORDS` searches all work, also by the name of its automation, `state=` `by=` `repo=` `since=` `until=` narrow it · `/bosun projects` · `/bosun users` · `/bosun folders` what there is on the agent platform',
      '`/bosun use PROJECT` is where your work starts from then on · `/bosun use` shows where that is here',
    ],
  },
  helpForAdmins: {
    '/bosun': [
      '`/bosun usage [from to]` what was billed · `/bosun doctor` checks my health · `/bosun audit` who did what',
    ],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun find login bug':
      'Work with these words in its title, its task or the name of the automation that began it: of this channel, your own where you are still in its channel, and of this channel’s project on the agent platform. [Follow here] brings it. With words or alone: `state=failed`, `by=@jane` or `by=me`, `repo=acme/web` (where it has a pull request, or the only repository of its project), `since=7d` and `until=2026-10-01` (its last activity).',
    '/bosun projects':
      'Projects within the key’s reach, and their repositories. Admins have [Use here].',
    '/bosun use web':
      'From then on what you start begins in that project, wherever the channel has none of its own. `/bosun use` shows what holds here and who chose it; `/bosun use none` takes it back.',
    '/bosun users': 'People on the agent platform, and who they are here.',
    '/bosun folders':
      'Folders that are remembered here; `/bosun folders add ID name` and `/bosun folders forget name` change that.',
    '/bosun usage last month':
      'What was billed, per member and model. Also `2026-11` or `2026-11-01 2026-11-15`.',
    '/bosun doctor': 'Each thing that must be well, ✓ or ✗, and how to fix it.',
    '/bosun audit': 'Who did what, newest first, with [Export CSV].',
  },
  noMore: 'That was all.',

  projects: {
    headline: '*Projects my key can reach*',
    none: 'My key reaches no project. Give it access on the agent platform.',
    here: 'used here',
    use: 'Use here',
    repo: (name: string, branch: string | undefined) =>
      branch === undefined ? name : `${name} (${branch})`,
    moreRepos: (count: number) => `and ${count} more`,
  },

  use: {
    here: (project: string, by: ProjectSource) => {
      const who = {
        channel: 'an admin chose it for this channel',
        person: 'you chose it',
        workspace: 'it holds for the whole workspace',
      }
      return `What you start here begins in *${project}*: ${who[by]}.`
    },
    nowhere:
      'No project is chosen here, so a task has to name one: *@Bosun project=… your task*. Or choose yours.',
    own: (project: string) =>
      `Your own project is *${project}*. It counts where a channel has none of its own.`,
    noOwn: 'You have no project of your own.',
    outOfReach: 'Your own project is not within reach here, so it does not count here.',
    chosen: (project: string) =>
      `✅ From now on what you start begins in *${project}*, wherever the channel has no project of its own.`,
    notHere: (project: string, option: string) =>
      `This channel has one, *${project}*, and keeps it: an admin chose it. Put *${option}* before a task to start that one in yours.`,
    gone: 'That project is no longer within reach here.',
    cleared: '✅ You have no project of your own any more.',
    none: 'Forget my choice',
    choose: 'Choose yours',
    name: 'Name yours: `/bosun use PROJECT`.',
    forAll: 'As an admin you change it for the whole channel with `/bosun connect`.',
  },

  users: {
    headline: '*People on the agent platform*',
    none: 'The agent platform lists nobody.',
    unnamed: 'no name',
    notHere: 'not found in this workspace',
  },

  folders: {
    headline: '*Folders that I remember here*',
    none: 'I remember no folders here. The agent platform does not list them, so paste an id once: `/bosun folders add ID name`. Then *File in a folder* among the details of work offers it.',
    usage:
      'Say `/bosun folders`, `/bosun folders add ID name` or `/bosun folders forget ID or name`.',
    notForVisitors:
      'These folders are of all channels that work with the same key, so guests and people of other companies see none.',
    did: (word: string) => `Did you mean \`/bosun folders ${word}\`?`,
    added: (name: string) =>
      `I’ll remember *${name}* for everyone who works with the same key. *File in a folder* among the details of work offers it.`,
    forgotten: (name: string) => `I have forgotten *${name}*. The folder itself stays as it is.`,
    unknown: (said: string) => `I don’t remember a folder *${said}* here.`,
    full: (count: number) => `I already remember ${count} folders here. Forget one first.`,
    wrongId: 'That can’t be a folder’s id: it is one word of at most 200 characters.',
    form: {
      title: 'File in a folder',
      submit: 'File',
      close: 'Close',
      which: 'Folder',
      paste: 'Another folder’s id',
      pasteHint: 'As its web address on the agent platform shows it.',
      name: 'Its name',
      nameHint: 'Then I’ll remember it for everyone who works with the same key.',
      needsOne: 'Choose a folder, or paste an id.',
      needsId: 'One word of at most 200 characters.',
    },
    notStarted: 'This work has not begun on the agent platform yet. Try again in a moment.',
    filed: (title: string, folder: string) => `Filed *${title}* in *${folder}*.`,
    notFound: 'The agent platform no longer finds this work, or my key can’t reach it.',
    notAllowed: 'This work is personal, so it can’t go into a shared folder.',
    noFolder: (folder: string) =>
      `There is no folder *${folder}* on the agent platform, or my key can’t reach it. Paste its id again.`,
    otherwise: (word: string) =>
      `The agent platform answered *${word}*, and I don’t know what that means.`,
    gone: 'I no longer remember that folder. Choose another one.',
  },

  usage: {
    headline: (period: string) => `*What was billed* · ${period}`,
    thisMonth: 'this month until now (UTC)',
    period: (from: string, to: string) =>
      from === to ? `${from} (UTC)` : `${from} to ${to} (UTC)`,
    unlimited: 'unlimited',
    unknown: 'unknown',
    credits: (dollars: string, credits: string) => `${dollars} (${credits} credits)`,
    what: {
      total: 'Total',
      llm: 'LLM',
      image: 'Images',
      machine: 'Machines',
      input: 'input',
      output: 'output',
      cached: 'cached',
    },
    tokens: (count: string, kind: string | undefined) =>
      kind === undefined ? `${count} tokens` : `${count} ${kind} tokens`,
    by: {member: 'By member', model: 'By model', image: 'By image endpoint'},
    table: {kind: 'Kind', name: 'Name', credits: 'Credits', notes: 'Notes'},
    kind: {member: 'Member', model: 'Model', image: 'Image endpoint'},
    nobody: {member: 'nobody in particular', model: 'no model', image: 'no endpoint', other: '–'},
    nothing: 'nothing',
    empty: 'Nothing was billed in that period.',
    notUnderstood: 'I don’t know the format of the agent platform’s report. Here is what it says:',
    cut: '… and more that does not fit here.',
    wrongDate: (word: string) =>
      `I can’t read *${word}* as a date. Say \`/bosun usage 2026-11-01 2026-11-15\`, \`2026-11\`, \`yesterday\`, \`last month\` or \`last 7 days\`.`,
    backwards: 'That period ends before it begins: say the earlier date first.',
    future: 'That period has not begun yet.',
  },
} as const
