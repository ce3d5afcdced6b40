import type {Database} from '../database.ts'

/** Where a run in progress stands: enough to start its current turn again after the process died. */
export interface RunRecord {
  threadId: string
  /** New for each script that is begun. */
  id: string
  /** What the run plays: JSON of a script. */
  script: string
  turn: number
  /** The first step of the turn that has not committed. */
  step: number
}

export interface RunRecords {
  put(record: RunRecord): void
  setProgress(threadId: string, turn: number, step: number): void
  get(threadId: string): RunRecord | undefined
  all(): RunRecord[]
  remove(threadId: string): void
}

export function createRunRecords(database: Database): RunRecords {
  database.exec(SCHEMA)
  const put = database.prepare<RunRecord>(
    `insert or replace into runs (threadId, id, script, turn, step)
     values (@threadId, @id, @script, @turn, @step)`,
  )
  const setProgress = database.prepare('update runs set turn = ?, step = ? where threadId = ?')
  const get = database.prepare<[string], RunRecord>('select * from runs where threadId = ?')
  const all = database.prepare<[], RunRecord>('select * from runs')
  const remove = database.prepare<[string]>('delete from runs where threadId = ?')
  return {
    put: (record) => void put.run(record),
    setProgress: (threadId, turn, step) => void setProgress.run(turn, step, threadId),
    get: (threadId) => get.get(threadId),
    all: () => all.all(),
    remove: (threadId) => void remove.run(threadId),
  }
}

const SCHEMA = `
create table if not exists runs (
  threadId text primary key, id text not null, script text not null,
  turn integer not null, step integer not null
) strict;
`
