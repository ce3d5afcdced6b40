import type {Database} from './database.ts'

/** What a thread does when it is not archived; `archived` covers it on the wire. Section 3.1. */
export type ThreadState = 'active' | 'pending_user' | 'ready_for_review' | 'idle' | 'error'
type ThreadStatus = ThreadState | 'archived'

export interface ThreadRow {
  seq: number
  id: string
  requestId: string
  projectId: string
  authorId: string
  title: string
  titleCustom: 0 | 1
  status: ThreadStatus
  archived: 0 | 1
  modelId: string
  llmCredits: number
  vmCredits: number
  /** How many messages of people have been delivered. */
  delivered: number
  createdAt: string
  updatedAt: string
  lastActivityAt: string
}

interface NewThread {
  id: string
  requestId: string
  projectId: string
  authorId: string
  title: string
  titleCustom: 0 | 1
  modelId: string
  machineSize: string | null
}

interface ThreadFilter {
  projectId: string | null
  status: string | null
  /** Only threads created before this one. */
  beforeSeq: number
  limit: number
}

export interface Threads {
  insert(thread: NewThread): void
  find(id: string): ThreadRow | undefined
  findByRequest(requestId: string): ThreadRow | undefined
  /** Newest first. */
  list(filter: ThreadFilter): ThreadRow[]
  all(): ThreadRow[]
  status(id: string): ThreadStatus
  setState(id: string, state: ThreadState): void
  setArchived(id: string, archived: 0 | 1): void
  /** Counts a delivered message and answers which one of the thread it is, from 1. */
  countDelivery(id: string, modelId: string | null): number
  addUsage(id: string, llmCredits: number, vmCredits: number): void
}

const COLUMNS = `seq, id, requestId, projectId, authorId, title, titleCustom, archived, modelId, llmCredits,
  vmCredits, delivered, createdAt, updatedAt, lastActivityAt`
const STATUS = `iif(archived, 'archived', state)`
const SELECT = `select ${COLUMNS}, ${STATUS} as status from threads`

export function createThreads(database: Database): Threads {
  const find = database.prepare<[string], ThreadRow>(`${SELECT} where id = ?`)
  const findByRequest = database.prepare<[string], ThreadRow>(`${SELECT} where requestId = ?`)
  const list = database.prepare<ThreadFilter, ThreadRow>(
    `${SELECT} where seq < @beforeSeq and (@projectId is null or projectId = @projectId)
     and (@status is null or ${STATUS} = @status) order by seq desc limit @limit`,
  )
  const all = database.prepare<[], ThreadRow>(`${SELECT} order by seq`)
  const status = database
    .prepare<[string], ThreadStatus>(`select ${STATUS} from threads where id = ?`)
    .pluck()
  return {
    ...createWrites(database),
    find: (id) => find.get(id),
    findByRequest: (requestId) => findByRequest.get(requestId),
    list: (filter) => list.all(filter),
    all: () => all.all(),
    status: (id) => {
      const found = status.get(id)
      if (found === undefined) throw new Error(`There is no thread ${id} to ask the status of.`)
      return found
    },
  }
}

type Writes = Pick<Threads, 'insert' | 'setState' | 'setArchived' | 'countDelivery' | 'addUsage'>

function createWrites(database: Database): Writes {
  const insert = database.prepare<NewThread & {now: string}>(
    `insert into threads (id, requestId, projectId, authorId, title, titleCustom, state, modelId, machineSize,
       createdAt, updatedAt, lastActivityAt)
     values (@id, @requestId, @projectId, @authorId, @title, @titleCustom, 'idle', @modelId, @machineSize,
       @now, @now, @now)`,
  )
  const update = (assignment: string): ((id: string, value: string | number | null) => void) => {
    const statement = database.prepare<{id: string; value: string | number | null; now: string}>(
      `update threads set ${assignment}, updatedAt = @now where id = @id`,
    )
    return (id, value) => void statement.run({id, value, now: now()})
  }
  const countDelivery = database
    .prepare<[string | null, string], number>(
      `update threads set delivered = delivered + 1, modelId = coalesce(?, modelId)
       where id = ? returning delivered`,
    )
    .pluck()
  const addUsage = database.prepare<[number, number, string, string]>(
    `update threads set llmCredits = llmCredits + ?, vmCredits = vmCredits + ?, updatedAt = ? where id = ?`,
  )
  return {
    insert: (thread) => void insert.run({...thread, now: now()}),
    setState: update('state = @value'),
    setArchived: update('archived = @value'),
    countDelivery: (id, modelId) => countDelivery.get(modelId, id) ?? 1,
    addUsage: (id, llm, vm) => void addUsage.run(llm, vm, now(), id),
  }
}

function now(): string {
  return new Date().toISOString()
}

/** A thread as section 2.1 shows it. */
export function toWireThread(row: ThreadRow): Record<string, unknown> {
  return {
    id: row.id,
    projectId: row.projectId,
    authorId: row.authorId,
    previousAuthorId: null,
    title: row.title,
    titleCustom: row.titleCustom === 1,
    status: row.status,
    archived: row.archived === 1,
    lastModelId: row.modelId,
    pullRequestAuthor: null,
    usage: {
      llmCredits: row.llmCredits,
      imageCredits: 0,
      vmCredits: row.vmCredits,
      totalCredits: row.llmCredits + row.vmCredits,
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastActivityAt: row.lastActivityAt,
    hasUnreads: false,
    mentionCount: 0,
    owed: false,
    member: true,
    needsYou: row.status === 'pending_user',
  }
}
