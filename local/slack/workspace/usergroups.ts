import type {SqlDatabase} from '../database.ts'

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

export interface Usergroups {
  all(): Usergroup[]
  find(id: string): Usergroup | undefined
  save(usergroup: Usergroup): void
}

export function createUsergroups(database: SqlDatabase): Usergroups {
  database.exec(
    'create table if not exists usergroups (id text primary key, body text not null) strict',
  )
  const rows = database
    .prepare<[], {body: string}>('select body from usergroups order by rowid')
    .all()
  const usergroups = new Map(
    rows.map(({body}) => {
      const usergroup = JSON.parse(body) as Usergroup
      return [usergroup.id, usergroup]
    }),
  )
  const write = database.prepare(
    'insert into usergroups (id, body) values (?, ?) on conflict (id) do update set body = excluded.body',
  )
  return {
    all: () => [...usergroups.values()],
    find: (id) => usergroups.get(id),
    save: (usergroup) => {
      usergroups.set(usergroup.id, usergroup)
      write.run(usergroup.id, JSON.stringify(usergroup))
    },
  }
}
