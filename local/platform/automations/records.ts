import {createHash} from 'node:crypto'
import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import type {Principal} from '../organization/keys.ts'
import {definitionSchema, type Definition} from './definition.ts'

export interface AutomationRow {
  seq: number
  id: string
  projectId: string
  definition: Definition
  enabled: 0 | 1
  deleted: 0 | 1
  disabledReason: string | null
  /** On whose behalf it runs: whoever created it. */
  runAsKind: Principal['kind']
  runAsId: string
  runCount: number
  /** The UTC day of the last run, as `2026-03-29`, and how many runs it has had. */
  runDay: string | null
  runsOfDay: number
  /** Where all its runs take place, under `threadMode` `single`. */
  threadId: string | null
  lastTriggeredAt: string | null
  createdAt: string
  updatedAt: string
}

type NewAutomation = Pick<
  AutomationRow,
  'id' | 'projectId' | 'definition' | 'enabled' | 'runAsKind' | 'runAsId'
> & {requestId: string; secret: string | null}

interface AutomationFilter {
  projectId: string | null
  /** Only automations created before this one. */
  beforeSeq: number
  limit: number
  /** What the asking principal reaches; `null`: every project. */
  projectIds: readonly string[] | null
}

/** What section 3.4 lets a client do with an automation. */
export type Change = 'enable' | 'disable' | 'delete' | 'restore'

export interface AutomationRecords {
  insert(automation: NewAutomation): void
  find(id: string): AutomationRow | undefined
  findByRequest(requestId: string): AutomationRow | undefined
  /** By the secret of its webhook. */
  findBySecret(secret: string): AutomationRow | undefined
  /** Newest first, deleted ones too. */
  list(filter: AutomationFilter): AutomationRow[]
  /** Those that run: enabled and not deleted. */
  live(): AutomationRow[]
  /** `false` when it was so already. */
  change(id: string, change: Change): boolean
  /** Disables it for a reason of the platform's own. */
  suspend(id: string, reason: string): void
  countRun(id: string): void
  setThread(id: string, threadId: string): void
}

type StoredAutomation = Omit<AutomationRow, 'definition'> & {definition: string}

const SELECT = `select seq, id, projectId, definition, enabled, deleted, disabledReason, runAsKind, runAsId,
  runCount, runDay, runsOfDay, threadId, lastTriggeredAt, createdAt, updatedAt from automations`

export function createAutomationRecords(database: Database, clock: Clock): AutomationRecords {
  database.exec(SCHEMA)
  const findWhere = (column: 'id' | 'requestId' | 'secretHash') => {
    const find = database.prepare<[string], StoredAutomation>(`${SELECT} where ${column} = ?`)
    return (value: string): AutomationRow | undefined => {
      const stored = find.get(value)
      return stored && toRow(stored)
    }
  }
  const list = database.prepare<
    Omit<AutomationFilter, 'projectIds'> & {projectIds: string | null},
    StoredAutomation
  >(
    `${SELECT} where seq < @beforeSeq and (@projectId is null or projectId = @projectId)
     and (@projectIds is null or projectId in (select value from json_each(@projectIds)))
     order by seq desc limit @limit`,
  )
  const live = database.prepare<[], StoredAutomation>(
    `${SELECT} where enabled = 1 and deleted = 0 order by seq`,
  )
  const findBySecretHash = findWhere('secretHash')
  return {
    ...createWrites(database, clock),
    find: findWhere('id'),
    findByRequest: findWhere('requestId'),
    findBySecret: (secret) => findBySecretHash(hash(secret)),
    list: ({projectIds, ...filter}) =>
      list
        .all({...filter, projectIds: projectIds === null ? null : JSON.stringify(projectIds)})
        .map(toRow),
    live: () => live.all().map(toRow),
  }
}

type Writes = Pick<AutomationRecords, 'insert' | 'change' | 'suspend' | 'countRun' | 'setThread'>

function createWrites(database: Database, clock: Clock): Writes {
  const insert = database.prepare(
    `insert into automations (id, requestId, projectId, definition, enabled, runAsKind, runAsId, secretHash,
       createdAt, updatedAt)
     values (@id, @requestId, @projectId, @definition, @enabled, @runAsKind, @runAsId, @secretHash, @now, @now)`,
  )
  const change = (assignment: string, condition: string) => {
    const statement = database.prepare<[string, string]>(
      `update automations set ${assignment}, updatedAt = ? where id = ? and ${condition}`,
    )
    return (id: string): boolean => statement.run(isoNow(clock), id).changes === 1
  }
  const changes: Record<Change, (id: string) => boolean> = {
    enable: change('enabled = 1, disabledReason = null', 'enabled = 0'),
    disable: change('enabled = 0', 'enabled = 1'),
    delete: change('deleted = 1', 'deleted = 0'),
    restore: change('deleted = 0', 'deleted = 1'),
  }
  const suspend = database.prepare<[string, string, string]>(
    'update automations set enabled = 0, disabledReason = ?, updatedAt = ? where id = ?',
  )
  const countRun = database.prepare<{id: string; now: string; day: string}>(
    `update automations set runCount = runCount + 1, lastTriggeredAt = @now,
       runsOfDay = iif(runDay is @day, runsOfDay + 1, 1), runDay = @day where id = @id`,
  )
  const setThread = database.prepare<[string, string]>(
    'update automations set threadId = ? where id = ?',
  )
  return {
    insert: ({definition, secret, ...automation}) => {
      const secretHash = secret === null ? null : hash(secret)
      const now = isoNow(clock)
      insert.run({...automation, definition: JSON.stringify(definition), secretHash, now})
    },
    change: (id, name) => changes[name](id),
    suspend: (id, reason) => void suspend.run(reason, isoNow(clock), id),
    countRun: (id) => void countRun.run({id, now: isoNow(clock), day: dayOf(clock)}),
    setThread: (id, threadId) => void setThread.run(threadId, id),
  }
}

/** The UTC day, as `2026-03-29`. */
export function dayOf(clock: Clock): string {
  return isoNow(clock).slice(0, 10)
}

/** The file holds no secret, so that whoever reads it can call no webhook. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function toRow(stored: StoredAutomation): AutomationRow {
  return {...stored, definition: definitionSchema.parse(JSON.parse(stored.definition))}
}

const SCHEMA = `
create table if not exists automations (
  seq integer primary key autoincrement, id text not null unique, requestId text not null unique,
  projectId text not null references projects (id), definition text not null,
  enabled integer not null, deleted integer not null default 0, disabledReason text,
  runAsKind text not null, runAsId text not null, secretHash text unique,
  runCount integer not null default 0, runDay text, runsOfDay integer not null default 0,
  threadId text, lastTriggeredAt text, createdAt text not null, updatedAt text not null
) strict;
`
