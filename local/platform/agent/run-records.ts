import type {Database} from '../database.ts'

/** Where a run in progress stands: enough to start its current turn again after the process died. */
export interface RunRecord {
  threadId: string
  /** The message that the run works on. */
  text: string
  /** Which message of the thread that is, from 1. */
  ordinal: number
  turn: number
  /** The first step of the turn that has not committed. */
  step: number
}

export interface RunRecords {
  put(record: RunRecord): void
  get(threadId: string): RunRecord | undefined
  all(): RunRecord[]
  remove(threadId: string): void
}

export function createRunRecords(database: Database): RunRecords {
  database.exec(SCHEMA)
  const put = database.prepare<RunRecord>(
    `insert or replace into runs (threadId, text, ordinal, turn, step)
     values (@threadId, @text, @ordinal, @turn, @step)`,
  )
  const get = database.prepare<[string], RunRecord>('select * from runs where threadId = ?')
  const all = database.prepare<[], RunRecord>('select * from runs')
  const remove = database.prepare<[string]>('delete from runs where threadId = ?')
  return {
    put: (record) => void put.run(record),
    get: (threadId) => get.get(threadId),
    all: () => all.all(),
    remove: (threadId) => void remove.run(threadId),
  }
}

const SCHEMA = `
create table if not exists runs (
  threadId text primary key, text text not null, ordinal integer not null,
  turn integer not null, step integer not null
) strict;
`
