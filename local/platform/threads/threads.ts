import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {IN_REACH, toReach, type Reach} from '../organization/access.ts'
import {statesOf, toStatus, type ThreadState, type Vocabulary} from './vocabulary.ts'

export interface ThreadRow {
  seq: number
  id: string
  /** Of `POST /threads`; threads that begin otherwise have none. */
  requestId: string | null
  projectId: string | null
  authorId: string | null
  previousAuthorId: string | null
  /** A thread of one member, which only that member sees. */
  personal: 0 | 1
  title: string
  titleCustom: 0 | 1
  state: ThreadState
  /** In the vocabulary that the platform serves. */
  status: string
  archived: 0 | 1
  modelId: string
  /** How many messages of people have been delivered. */
  delivered: number
  createdAt: string
  updatedAt: string
  lastActivityAt: string
}

type NewThread = Pick<
  ThreadRow,
  'id' | 'requestId' | 'projectId' | 'authorId' | 'personal' | 'title' | 'titleCustom' | 'modelId'
> & {machineSize: string | null}

interface ThreadFilter {
  projectId: string | null
  status: string | null
  /** Only threads created before this one. */
  beforeSeq: number
  limit: number
  /** What the asking principal reaches: a project allowlist (`null`: all) and its own personal threads. */
  projectIds: readonly string[] | null
  userId: string | null
}

export interface Threads {
  insert(thread: NewThread): void
  find(id: string): ThreadRow | undefined
  findByRequest(requestId: string): ThreadRow | undefined
  /** Newest first. */
  list(filter: ThreadFilter): ThreadRow[]
  all(): ThreadRow[]
  status(id: string): string
  /** `needsYou`: what it says of that beside its state, until it is in another one; `undefined`: what the state says. */
  setState(id: string, state: ThreadState, needsYou?: boolean): void
  needsYou(row: Pick<ThreadRow, 'id' | 'state' | 'archived'>): boolean
  setArchived(id: string, archived: 0 | 1): void
  setAuthor(id: string, authorId: string): void
  /** From then on it is this member's alone; `null`: of somebody whom nobody knows. */
  setPersonal(id: string, authorId: string | null): void
  setTitle(id: string, title: string): void
  /** Counts a delivered message and answers which one of the thread it is, from 1. */
  countDelivery(id: string, modelId: string | null): number
  addParticipant(id: string, userId: string): void
  isParticipant(id: string, userId: string): boolean
}

interface ThreadsOptions {
  database: Database
  clock: Clock
  vocabulary: Vocabulary
}

type StoredThread = Omit<ThreadRow, 'status'>

const SELECT = `select seq, id, requestId, projectId, authorId, previousAuthorId, personal, title,
  titleCustom, state, archived, modelId, delivered, createdAt, updatedAt, lastActivityAt from threads`

export function createThreads(options: ThreadsOptions): Threads {
  const {database, vocabulary} = options
  database.exec(SCHEMA)
  const find = database.prepare<[string], StoredThread>(`${SELECT} where id = ?`)
  const findByRequest = database.prepare<[string], StoredThread>(`${SELECT} where requestId = ?`)
  const list = database.prepare<ListParameters, StoredThread>(
    `${SELECT} where seq < @beforeSeq and (@projectId is null or projectId = @projectId)
     and (@archived is null or archived = @archived)
     and (@states is null or state in (select value from json_each(@states)))
     and ${IN_REACH} order by seq desc limit @limit`,
  )
  const all = database.prepare<[], StoredThread>(`${SELECT} order by seq`)
  const status = database.prepare<[string], Pick<ThreadRow, 'state' | 'archived'>>(
    'select state, archived from threads where id = ?',
  )
  const toRow = (stored: StoredThread): ThreadRow => {
    return {...stored, status: toStatus(vocabulary, stored)}
  }
  return {
    ...createWrites(options),
    find: (id) => {
      const stored = find.get(id)
      return stored && toRow(stored)
    },
    findByRequest: (requestId) => {
      const stored = findByRequest.get(requestId)
      return stored && toRow(stored)
    },
    list: (filter) => list.all(toParameters(filter, vocabulary)).map(toRow),
    all: () => all.all().map(toRow),
    status: (id) => {
      const found = status.get(id)
      if (found === undefined) throw new Error(`There is no thread ${id} to ask the status of.`)
      return toStatus(vocabulary, found)
    },
  }
}

interface ListParameters extends Reach {
  projectId: string | null
  archived: 0 | 1 | null
  /** JSON of the states that are wanted; `null`: all. */
  states: string | null
  beforeSeq: number
  limit: number
}

function toParameters(filter: ThreadFilter, vocabulary: Vocabulary): ListParameters {
  const {status, ...rest} = filter
  const wantsArchived = status === 'archived'
  return {
    ...rest,
    ...toReach(filter),
    archived: status === null ? null : wantsArchived ? 1 : 0,
    states: status === null || wantsArchived ? null : JSON.stringify(statesOf(vocabulary, status)),
  }
}

type Writes = Omit<Threads, 'find' | 'findByRequest' | 'list' | 'all' | 'status'>

function createWrites({database, clock}: ThreadsOptions): Writes {
  const needs = new Map<string, boolean>()
  const insert = database.prepare<NewThread & {now: string}>(
    `insert into threads (id, requestId, projectId, authorId, personal, title, titleCustom, state, modelId,
       machineSize, createdAt, updatedAt, lastActivityAt)
     values (@id, @requestId, @projectId, @authorId, @personal, @title, @titleCustom, 'idle', @modelId,
       @machineSize, @now, @now, @now)`,
  )
  const update = (assignment: string): ((id: string, value: string | number | null) => void) => {
    const statement = database.prepare<{id: string; value: string | number | null; now: string}>(
      `update threads set ${assignment}, updatedAt = @now where id = @id`,
    )
    return (id, value) => void statement.run({id, value, now: isoNow(clock)})
  }
  const setState = update('state = @value')
  const countDelivery = database
    .prepare<[string | null, string], number>(
      `update threads set delivered = delivered + 1, modelId = coalesce(?, modelId)
       where id = ? returning delivered`,
    )
    .pluck()
  const addParticipant = database.prepare('insert or ignore into participants values (?, ?)')
  const isParticipant = database
    .prepare<[string, string], 1>('select 1 from participants where threadId = ? and userId = ?')
    .pluck()
  return {
    insert: (thread) => void insert.run({...thread, now: isoNow(clock)}),
    setState: (id, state, needsYou) => {
      if (needsYou === undefined) needs.delete(id)
      else needs.set(id, needsYou)
      setState(id, state)
    },
    needsYou: ({id, state, archived}) =>
      archived === 0 && (needs.get(id) ?? state === 'pending_user'),
    setArchived: update('archived = @value'),
    setAuthor: update('previousAuthorId = authorId, authorId = @value'),
    setPersonal: update('personal = 1, authorId = @value'),
    setTitle: update('title = @value, titleCustom = 0'),
    countDelivery: (id, modelId) => countDelivery.get(modelId, id) ?? 1,
    addParticipant: (id, userId) => void addParticipant.run(id, userId),
    isParticipant: (id, userId) => isParticipant.get(id, userId) === 1,
  }
}

/** `state` has no regard to archiving, so that unarchiving shows it again. */
const SCHEMA = `
create table if not exists threads (
  seq integer primary key autoincrement, id text not null unique, requestId text unique,
  projectId text references projects (id), authorId text references users (id),
  previousAuthorId text references users (id), personal integer not null,
  title text not null, titleCustom integer not null, state text not null,
  archived integer not null default 0, modelId text not null, machineSize text,
  delivered integer not null default 0,
  createdAt text not null, updatedAt text not null, lastActivityAt text not null
) strict;
create table if not exists participants (
  threadId text not null references threads (id), userId text not null references users (id),
  primary key (threadId, userId)
) strict, without rowid;
`
