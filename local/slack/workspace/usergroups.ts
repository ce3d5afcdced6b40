import type {SqlDatabase} from '../database.ts'
import {openRecords, type Records} from '../records.ts'

/** https://docs.slack.dev/reference/objects/usergroup-object */
export interface Usergroup {
  id: string
  /** Without `@`. */
  handle: string
  name: string
  memberIds: string[]
  createdS: number
  /** Set on disabled ones. */
  disabledS?: number
}

export type Usergroups = Records<Usergroup>

export function createUsergroups(database: SqlDatabase, teamId: string): Usergroups {
  return openRecords(database, {kind: 'usergroups', scope: teamId})
}
