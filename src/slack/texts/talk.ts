/** What people read of messages to the agent, of stopping it, and of putting its work away. */
export const talk = {
  /** In front of what goes to the agent. */
  sender: {
    direct: (name: string) => `${name} in a direct message`,
    channel: (name: string, channel: string) => `${name} in #${channel}`,
  },

  /** In front of what the agent has in other words. */
  correction: (words: string) => `Correction: ${words}`,

  waiting: {
    headline: '⏳ *Waiting for the agent’s current work to end*',
    row: (words: string, name: string) => `“${words}” · ${name}`,
    more: (count: number) => `and ${count} more`,
    sendNow: 'Send now',
    cancel: 'Cancel',
    alreadyDelivered: 'Already delivered: the agent has this message.',
    alreadyCancelled: 'This message was already cancelled.',
    notYours: (sender: string, starter: string) =>
      sender === starter
        ? `Only ${sender}, who wrote this message and started the work, or an admin can do that.`
        : `Only ${sender}, who wrote this message, ${starter}, who started the work, or an admin can do that.`,
    heldNow: 'The work was stopped, so this message is held. Press Send on it to let it go.',
  },

  held: {
    headline: '⏸ *Held: not sent*',
    send: 'Send',
    discard: 'Discard',
    past: 'That message is no longer held.',
  },

  words: {
    empty: (word: string) =>
      `Write what the agent should be told after it: *${word} use the staging database*.`,
    aside: 'That stays between you: the agent does not get messages that begin with *!aside*.',
    muted:
      '🔇 I stopped listening in this Slack thread. Only messages that mention me go to the agent; write *unmute* to change that.',
    unmuted: '🔊 I’m listening again: every message in this Slack thread goes to the agent.',
    alreadyMuted: 'I’m already muted here. Only messages that mention me go to the agent.',
    notMuted: 'I’m already listening here: every message in this Slack thread goes to the agent.',
  },

  archived: {
    kept: '📦 This work is archived, so the agent did not get your message.',
    unarchiveAndSend: 'Unarchive and send',
    expired: 'That was more than a day ago, so I did not send it. Please write it again.',
    past: 'That message is no longer waiting to be sent.',
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
    back: 'Back',
    done: 'Archive',
  },

  atRest: 'It is not working right now, so there is nothing to stop.',

  menu: {
    archive: 'Archive',
    unarchive: 'Unarchive',
    newTitle: 'New title',
    tasks: 'Tasks',
    file: 'File in a folder',
    details: 'Details',
    mute: 'Mute here',
    unmute: 'Unmute',
    isMuted: '🔇 muted: only mentions of me go to the agent',
  },

  manage: {
    title: 'Manage this work',
    close: 'Close',
    notBound: 'No agent works in this Slack thread. Mention me with a task to start one.',
    reading: 'Asking the agent platform…',
    notRead: 'The agent platform does not answer, so this is the last I know.',
    stop: 'Stop',
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
    },
    field: {
      status: 'Status',
      since: 'Since',
      project: 'Project',
      model: 'Model',
      startedBy: 'Asked by',
      steps: 'Steps',
      pullRequest: 'Pull request',
      cost: 'Cost',
      thread: 'Agent id',
      link: 'Link id',
      author: 'Author on the platform',
      cursor: 'Shown up to',
      nothing: 'none yet',
    },
    credits: (kind: string, credits: string, dollars: string) =>
      `${kind}: ${credits} credits (${dollars})`,
    creditsAlone: (kind: string, words: string) => `${kind}: ${words}`,
    kinds: {
      llmCredits: 'Model',
      imageCredits: 'Images',
      vmCredits: 'Machine',
      totalCredits: 'Total',
    },
    unlimited: 'unlimited',
    unknown: 'unknown',
  },
} as const
