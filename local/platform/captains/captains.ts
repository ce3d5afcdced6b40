import type {z} from 'zod'
import {avatar} from '../../../src/platform/contract/records.ts'
import type {Database} from '../database.ts'

/** Section 2.4, as it comes and goes over the wire. */
export const avatarSchema = avatar.strict()
export type Avatar = z.infer<typeof avatarSchema>

/** What makes a thread a captain's. */
export interface Captain {
  threadId: string
  /** Of `POST /captains`; it has nothing to do with the ids of thread creation. */
  requestId: string
  name: string
  avatar: Avatar
}

/** The names and faces of captains; everything else about them is their threads'. Section 2.2. */
export interface Captains {
  add(captain: Captain): void
  find(threadId: string): Captain | undefined
  findByRequest(requestId: string): Captain | undefined
}

type CaptainRow = Omit<Captain, 'avatar'> & {avatar: string}

export function createCaptains(database: Database): Captains {
  database.exec(`create table if not exists captains (
    threadId text primary key references threads (id), requestId text not null unique,
    name text not null, avatar text not null
  ) strict`)
  const insert = database.prepare<CaptainRow>(
    `insert into captains (threadId, requestId, name, avatar)
     values (@threadId, @requestId, @name, @avatar)`,
  )
  const find = database.prepare<[string], CaptainRow>('select * from captains where threadId = ?')
  const findByRequest = database.prepare<[string], CaptainRow>(
    'select * from captains where requestId = ?',
  )
  return {
    add: (captain) => void insert.run({...captain, avatar: JSON.stringify(captain.avatar)}),
    find: (threadId) => toCaptain(find.get(threadId)),
    findByRequest: (requestId) => toCaptain(findByRequest.get(requestId)),
  }
}

function toCaptain(row: CaptainRow | undefined): Captain | undefined {
  return row && {...row, avatar: avatarSchema.parse(JSON.parse(row.avatar))}
}
