import {times} from '../../slack/texts/counts.ts'
import type {RuleMark} from '../../store/tables/work/link.ts'

/** What people read of the work in a Slack thread, and of what they can do with it. */
export const conversationTexts = {
  /** What `help` says. */
  help: {
    '/bosun': [
      '`/bosun new` starts work with a form · `/bosun status` what is under way in this channel · `/bosun mine` what you asked for, anywhere · `/bosun tasks` tasks of what runs here',
    ],
  },
  /** What docs/commands.md says, by an example of what is typed. */
  commands: {
    '/bosun new':
      'A form: task, project, model, size. The work begins in the channel, in a Slack thread of its own.',
    '/bosun status': 'What runs in this channel, each with its state, its Slack thread and [Stop].',
    '/bosun mine':
      'What you asked for, in any channel: all of it, what needs you, what runs or what is done.',
    '/bosun tasks': 'How far the tasks of what runs here are, with a look inside.',
  },
  /** Below a mention of us where a captain is at home. */
  captainAnswers: (name: string, where: string) => `*${name}* answers here: ${where}`,
  captainGone: (name: string) =>
    `*${name}*, whose home this channel was, can’t be reached now, so this started new work.`,

  /** In front of what the agent has in other words. */
  correction: (words: string) => `Correction: ${words}`,

  words: {
    empty: (word: string) =>
      `Write what the agent should be told after it: *${word} use the staging database*.`,
    aside: 'That stays between you: the agent does not get messages that begin with *!aside*.',
    muted:
      '🔇 I stopped listening in this Slack thread. Only messages that mention me go to the agent; write *unmute* to change that.',
    unmuted: '🔊 I’m listening again: every message in this Slack thread goes to the agent.',
    alreadyMuted: 'I’m already muted here. Only messages that mention me go to the agent.',
    notMuted: 'I’m already listening here: every message in this Slack thread goes to the agent.',
    /** Where a channel wants it so. */
    unmutedToMentions:
      '🔊 I’m listening again. In this channel only messages that mention me go to the agent.',
    notMutedToMentions:
      'I’m already listening here. In this channel only messages that mention me go to the agent.',
    mentionMe: 'That did not go to the agent: in this channel only messages that mention me do.',
  },

  archiving: {
    title: 'Archive this work?',
    question: 'It is still working.',
    waiting: (count: number) =>
      count === 1
        ? '1 message is still waiting for it. Stopping holds it back.'
        : `${count} messages are still waiting for it. Stopping holds them back.`,
    stopAndArchive: 'Stop and archive',
    archiveOnly: 'Archive, let it finish',
    archive: 'Archive',
    back: 'Back',
  },

  manage: {
    title: 'Manage this work',
    close: 'Close',
    notBound: 'No agent works in this Slack thread. Mention me with a task to start one.',
    reading: 'Asking the agent platform…',
    notRead: 'The agent platform does not answer, so this is the last I know.',
    stop: 'Stop',
    steps: 'Steps',
    room: 'Open a room',
    takeOver: 'Take over',
    takeOverExplained:
      '*Take over* makes Bosun’s platform account the author of this work; nothing else changes.',
    takenOver: 'Taken over: Bosun’s platform account is now the author.',
    takeOverConfirm: {
      title: 'Take over?',
      text: 'Bosun’s platform account becomes the author of this work. Nobody can undo that here.',
      confirm: 'Take over',
      deny: 'Back',
    },
    done: {
      stop: 'Stopping it.',
      archive: 'Archived. Unarchive on its card brings it back.',
      finishing: 'Archived. It finishes what it is doing. Unarchive on its card brings it back.',
      unarchive: 'Unarchived.',
      newTitle: (title: string) => `The title is now: ${title}`,
      sameTitle: 'The agent platform kept the title.',
      mute: 'Muted: only mentions of me go to the agent.',
      unmute: 'Unmuted: every message in the Slack thread goes to the agent.',
      unmuteToMentions: 'Unmuted: messages that mention me go to the agent.',
    },
    by: ({name, isWorkflow}: RuleMark) => (isWorkflow === true ? 'a workflow' : `the rule ${name}`),
    field: {
      since: 'Since',
      project: 'Project',
      model: 'Model',
      startedBy: 'Asked by',
      steps: 'Steps',
      pullRequest: 'Pull request',
      cost: 'Cost',
      nothing: 'none yet',
      created: 'Created',
      lastActivity: 'Last activity',
      author: 'Author',
      previousAuthor: 'Author before',
      pullRequestAuthor: 'Pull requests are opened by',
      forBosun: 'For Bosun’s account',
      crew: 'Crew',
    },
    /** Section 2.1; unset, whoever it works for has decided. */
    pullRequestAuthors: {svc: 'the agent platform’s own app', user: 'whoever it works for'},
    forBosun: (isUnread: boolean, mentions: number) =>
      [
        ...(isUnread ? ['something unread'] : []),
        ...(mentions > 0 ? [`mentioned ${times(mentions)}`] : []),
      ].join(' · '),
    crew: (members: number, waiting: number, mentions: number) =>
      [
        ...(members > 0 ? [`${members} in all`] : []),
        ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? 'needs' : 'need'} somebody`] : []),
        ...(mentions > 0 ? [`mentioned ${times(mentions)}`] : []),
      ].join(' · '),
    forSupport: (ids: readonly string[]) => `For support: ${ids.join(' · ')}`,
  },
} as const
