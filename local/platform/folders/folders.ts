import type {Database} from '../database.ts'
import {folderNotFound} from '../edge/errors.ts'
import {IN_REACH, toReach, type Reach} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {Seed} from '../seed/seed.ts'
import type {ThreadRow, Threads} from '../threads/threads.ts'
import {judgeEach, type Outcomes} from './outcomes.ts'

export interface Folder {
  id: string
  name: string
  /** A folder that is not shared is the members' own: a service key has no board. Section 5.4. */
  shared: boolean
}

interface FolderPage {
  /** Only what was filed before this place; places count up. */
  before: number
  limit: number
}

/** The folders into which threads are filed. Section 4.6. */
export interface Folders {
  list(principal: Principal): Folder[]
  /** Refuses with 404 what is absent or out of reach. */
  folder(principal: Principal, folderId: string): Folder
  /** `changed`: whether any thread was not in the folder before. */
  file(
    principal: Principal,
    folder: Folder,
    threadIds: readonly string[],
  ): {outcomes: Outcomes; changed: boolean}
  /** The threads of the folder that the principal reaches, filed last comes first. */
  threads(
    principal: Principal,
    folder: Folder,
    page: FolderPage,
  ): {place: number; thread: ThreadRow}[]
}

interface FoldersOptions {
  database: Database
  threads: Threads
  seed: Seed
}

type FolderRow = Omit<Folder, 'shared'> & {shared: 0 | 1}

export function createFolders({database, threads, seed}: FoldersOptions): Folders {
  database.exec(SCHEMA)
  plant(database, seed)
  const list = database.prepare<[], FolderRow>('select * from folders order by rowid')
  const find = database.prepare<[string], FolderRow>('select * from folders where id = ?')
  const insert = database.prepare<[string, string]>(
    'insert or ignore into filings (folderId, threadId) values (?, ?)',
  )
  const page = database.prepare<Reach & FolderPage & {folderId: string}, Filing>(
    `select place, threadId from filings join threads on threads.id = threadId
     where folderId = @folderId and place < @before and ${IN_REACH}
     order by place desc limit @limit`,
  )
  const file = database.transaction<Folders['file']>((principal, {id, shared}, threadIds) => {
    let changed = false
    const outcomes = judgeEach(threads, principal, threadIds, (thread) => {
      if (shared && thread.personal === 1) return 'not_allowed'
      if (insert.run(id, thread.id).changes > 0) changed = true
      return 'ok'
    })
    return {outcomes, changed}
  })
  return {
    list: (principal) =>
      list
        .all()
        .map(toFolder)
        .filter((folder) => reachesFolder(principal, folder)),
    folder: (principal, folderId) => {
      const row = find.get(folderId)
      const folder = row && toFolder(row)
      if (folder === undefined || !reachesFolder(principal, folder)) throw folderNotFound()
      return folder
    },
    file,
    threads: (principal, {id: folderId}, wanted) =>
      page.all({folderId, ...wanted, ...toReach(principal)}).flatMap(({place, threadId}) => {
        const thread = threads.find(threadId)
        return thread === undefined ? [] : [{place, thread}]
      }),
  }
}

interface Filing {
  place: number
  threadId: string
}

function reachesFolder({kind}: Principal, {shared}: Folder): boolean {
  return shared || kind === 'human'
}

function toFolder({shared, ...row}: FolderRow): Folder {
  return {...row, shared: shared === 1}
}

function plant(database: Database, {folders}: Seed): void {
  const insert = database.prepare<FolderRow>(
    'insert or ignore into folders (id, name, shared) values (@id, @name, @shared)',
  )
  database.transaction(() => {
    for (const folder of folders) insert.run({...folder, shared: folder.shared ? 1 : 0})
  })()
}

const SCHEMA = `
create table if not exists folders (
  id text primary key, name text not null, shared integer not null
) strict;
create table if not exists filings (
  place integer primary key autoincrement, folderId text not null references folders (id),
  threadId text not null references threads (id), unique (folderId, threadId)
) strict;
`
