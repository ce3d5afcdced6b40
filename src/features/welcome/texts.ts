import type {Allowed} from '../../store/tables/channels/bindings.ts'

/** What people read before they have done anything. */
export const welcomeTexts = {
  /** What `help` says. */
  help: {},
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {},

  /** What we do there, the first of three lines. */
  does: {
    channel:
      '👋 I’m Bosun. Mention me with a task, and a coding agent starts on it: what it says, asks and changes comes into the Slack thread.',
    direct:
      '👋 I’m Bosun. Write me a task, and a coding agent starts on it: what it says, asks and changes comes here, to you alone.',
    home: '👋 I’m Bosun. Give me a task, and a coding agent starts on it. What needs you, what runs and what is done stands here.',
  },

  /** The second: what it works on, and who may ask. `project` is drawn already. */
  works: {
    channel: (project: string) => `This channel works on *${project}*.`,
    /** In front of people to whom the name is no news that is theirs. */
    unnamed: 'This channel is connected to a project.',
    open: 'This channel has no project of its own: put *project=…* before a task.',
  },
  mayAsk: {
    everyone: 'Everyone in it may ask me; admins change that with `/bosun connect`.',
    group: 'A user group may ask me; admins change that with `/bosun connect`.',
    list: 'Some people may ask me; admins change that with `/bosun connect`.',
  } satisfies Record<Allowed['who'], string>,
  worksForYou: (project: string) =>
    `Your tasks go to *${project}*, unless you put *project=…* before one.`,
  asksYou: 'I’ll ask you once which project they are for, and remember it.',
  /** `admins` are drawn already. */
  unconnected: {
    channel: (admins: readonly string[]) =>
      `This channel is not connected to a project yet: ${someAdmin(admins)} can do that with \`/bosun connect\`.`,
    everywhere: (admins: readonly string[]) =>
      `This workspace is not connected to the agent platform yet: ${someAdmin(admins)} can do that with \`/bosun connect\`.`,
    byYou:
      'This workspace is not connected to the agent platform yet. You can do that: `/bosun connect`.',
  },
  notForYou: {
    guest:
      'Guests can’t give me tasks here unless an admin lets them: `/bosun connect`. A member can do it for you.',
    others:
      'You can’t give me tasks here. Ask somebody who can, or an admin to let you: `/bosun connect`.',
  },

  /** The third, to be copied. */
  example: {
    channel: 'For example: `@Bosun find out why the tests fail on main, and fix it`',
    direct: 'For example: `find out why the tests fail on main, and fix it`',
    home: 'For example: `@Bosun find out why the tests fail on main, and fix it` in a channel, or the same without *@Bosun* in a direct message.',
  },

  prompts: {
    title: 'Some things to begin with',
    tasks: [
      {
        title: 'Fix a failing test',
        message:
          'Find out why the tests fail on the main branch, fix the cause, and open a pull request.',
      },
      {
        title: 'Explain the code to me',
        message:
          'Explain how this code is laid out: where it starts, what its main parts do, and where a newcomer should begin to read.',
      },
      {
        title: 'Review a pull request',
        message:
          'Review the newest open pull request: what it changes, what could break, and what you would ask for.',
      },
    ],
  },
} as const

function someAdmin(admins: readonly string[]): string {
  return admins.length === 0
    ? 'an admin of this workspace'
    : `${admins.join(', ')} or another admin`
}
