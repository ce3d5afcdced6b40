/** What people read of an agent's tasks. */
export const taskTexts = {
  plan: (done: number, total: number) => `Tasks · ${done} of ${total} done`,
  below: (done: number, total: number) => `${done} of ${total} below it done`,
  hidden: (count: number) => `and ${count} earlier ones`,
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
    reading: 'Reading…',
    none: 'This work has no tasks.',
    messages: 'Messages',
    followTask: 'Follow this task',
    earlier: 'Earlier',
    later: 'Later',
    nothingSaid: 'Nothing has been said in this task yet.',
    failed: (why: string) => `That could not be read. ${why}`,
    agent: 'The agent',
    told: 'Told',
  },
  gone: 'This work has no such task any more.',
  readOnly: (where: string | undefined) =>
    `Tasks can’t be talked to. Write in the agent’s own thread${where === undefined ? '.' : `: ${where}`}`,
} as const
