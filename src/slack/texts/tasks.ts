/** What people read of an agent's tasks. */
export const taskTexts = {
  plan: (done: number, total: number) => `Tasks · ${done} of ${total} done`,
  below: (done: number, total: number) => `${done} of ${total} subtasks done`,
  hidden: (count: number) => (count === 1 ? 'and 1 earlier one' : `and ${count} earlier ones`),
  look: 'Look inside',
  status: {
    working: 'working',
    waiting: 'waiting',
    idle: 'stopped',
    done: 'done',
    failed: 'failed',
  } as Readonly<Record<string, string>>,
  modal: {
    title: 'Tasks',
    close: 'Close',
    back: 'Back',
    reading: 'Reading…',
    none: 'This work has no tasks.',
    messages: 'Messages',
    followTask: 'Follow this task',
    earlier: 'Earlier',
    later: 'Later',
    nothingSaid: 'Nothing has been said in this task yet.',
    silent: 'The agent platform does not answer right now. Open this again in a minute.',
    failed: (why: string) => `That could not be read. ${why}`,
    notShown: 'Slack did not show that. Open this again in a minute.',
    said: 'It said',
    told: (name: string | undefined) => (name === undefined ? 'It was told' : `${name} told it`),
  },
  gone: 'This work no longer has that task.',
  readOnly: (where: string | undefined) =>
    `Tasks can’t be talked to. Write to the agent in its own Slack thread${where === undefined ? '.' : `: ${where}`}`,
} as const
