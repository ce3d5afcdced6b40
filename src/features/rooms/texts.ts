/** What people read of rooms. Names and titles come drawn. */
export const roomTexts = {
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun room':
      'The work of this channel that can get a channel of its own, each with [Open a room], where the workspace has code channels. [rooms.md](rooms.md) says more.',
    '/stop': 'In a room: what [Stop] does.',
    '/details': 'In a room: all about its work, and all that can be done with it.',
    '/tasks': 'In a room: the tasks of its agent.',
    '/steps': 'In a room: what its agent did with its tools.',
    '/new-title': 'In a room: a new title for its work, made by the agent platform.',
    '/archive-work': 'In a room: what [Archive] does. The room is archived with its work.',
    '/model':
      'In a room: what the word `!model` does. `/model opus` chooses a model for what is written next.',
    '/': 'What an earlier version offered in a room: the nearest that there is now.',
  },
  /** What Slack shows beside each command of a room. */
  typed: {
    stop: 'Stop the agent',
    details: 'All about this work, and all that can be done with it',
    tasks: 'The tasks of the agent',
    steps: 'What the agent did with its tools',
    'new-title': 'Give this work a new title',
    'archive-work': 'Archive this work, and this channel with it',
    model: 'Choose the model for what you write next',
  },
  modelHint: '[name | default] [effort=… modes=…]',
  modelAlone:
    'Name a model alone, for example `/model opus`. For one message write `!model opus` in front of it.',
  noRoomHere: 'This channel is no room. `/bosun help` says what I can do here.',
  unknown: (said: string, near: string) => `I know no ${said}. Try ${near}.`,
  /** In a tab. */
  tab: {
    name: 'Work',
    tasks: (done: number, total: number) => `*Tasks* · ${done} of ${total} done`,
    hidden: (count: number) => (count === 1 ? 'and 1 earlier one' : `and ${count} earlier ones`),
    plan: '*Plan*',
    usage: '*Usage*',
    model: (name: string) => `Last model: ${name}`,
    steps: (count: number) => `Steps: ${count}`,
  },
  untitled: 'New work',
  open: 'Open a room',
  choose: 'Which work is to go on in a channel of its own?',
  /** Below the newest ones. */
  others:
    'There is more. Of each piece of work, [Details] in the menu of its card has [Open a room], too.',
  noneHere:
    'No work of this channel can get a room now: it has to run or rest here, where it was begun.',
  noRooms: 'This workspace has no rooms: Slack lets me open none. I ask Slack again tomorrow.',
  inRoom: 'This is a room already. What you write here goes to its agent.',
  notNow:
    'This work can get no room now: it has to run or rest where it was begun, and not in direct messages.',
  opened: (room: string) =>
    `🚪 It goes on in ${room}. Write there without a mention. What it is saying now it still says here.`,
  standing: (room: string) => `🚪 It goes on in ${room} already.`,
  refused: (code: string) => `⚠️ Slack opened no room (${code}). The work goes on here, as before.`,
  project: (name: string) => name,
  pullRequest: (name: string, state: string) => (state === '' ? name : `${name} · ${state}`),
} as const
