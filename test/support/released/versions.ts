/** Versions of which databases are kept: what each calls itself and its newest migration. */
export const RELEASED = [
  {name: '0.1.0', migration: '0001-start', on: ['sqlite']},
  {name: '0014', migration: '0014-openings', on: ['sqlite']},
  {name: '0017', migration: '0017-instances', on: ['sqlite', 'postgres']},
  {name: '0023', migration: '0023-runs', on: ['sqlite', 'postgres']},
  {name: '0032', migration: '0032-executions', on: ['sqlite', 'postgres']},
  {name: '0033', migration: '0033-room-views', on: ['sqlite', 'postgres']},
  {name: '0034', migration: '0034-recovery', on: ['sqlite', 'postgres']},
  {name: '0035', migration: '0035-threads', on: ['sqlite', 'postgres']},
  {name: '0036', migration: '0036-barred-channels', on: ['sqlite', 'postgres']},
  {name: '0037', migration: '0037-hook-projects', on: ['sqlite', 'postgres']},
  {name: '0038', migration: '0038-growth', on: ['sqlite', 'postgres']},
] as const satisfies readonly ReleasedVersion[]

/** On PostgreSQL versions from this migration on go on beside the newest: what came later has only added. */
export const GOES_ON_FROM = 25

export interface ReleasedVersion {
  name: string
  migration: string
  /** PostgreSQL came with 0017. */
  on: readonly Engine[]
}

export type Engine = 'sqlite' | 'postgres'

/** What every one of these databases is sealed with; it was made for them, and opens nothing else. */
export const RELEASED_KEY = {
  id: 'released',
  text: Buffer.alloc(32, 'only for tests ').toString('base64'),
}

/** The work that stops halfway in each of them: a test puts its own places and ids for these. */
export const SCENE = {
  team: 'T0LOCAL',
  channel: 'C0WEB',
  user: 'U0JANE',
  askTs: '1700000000.000100',
  replyTs: '1700000000.000300',
  atMs: Date.UTC(2026, 0, 31),
  threadId: 'thread_of-the-scene',
  projectId: 'project_of-the-scene',
} as const
