import type {SqlDatabase} from './database.ts'

/** Things of one kind that belong together, in memory and on file, in the order in which they came. */
export interface Records<Thing extends {id: string}> {
  all: () => Thing[]
  find: (id: string) => Thing | undefined
  /** Also a new one. */
  save: (thing: Thing) => void
  remove: (id: string) => void
}

type Kind =
  | 'members'
  | 'channels'
  | 'apps'
  | 'usergroups'
  | 'views'
  | 'installations'
  | 'rules'
  | 'executions'

/** `scope`: whose they are, a workspace or an app in one. */
export function openRecords<Thing extends {id: string}>(
  database: SqlDatabase,
  {kind, scope}: {kind: Kind; scope: string},
): Records<Thing> {
  const rows = database
    .prepare<[string, string], {body: string}>(
      'select body from records where kind = ? and scope = ? order by rowid',
    )
    .all(kind, scope)
  const kept = new Map(
    rows.map(({body}) => {
      const thing = JSON.parse(body) as Thing
      return [thing.id, thing]
    }),
  )
  const write = database.prepare(
    `insert into records (kind, scope, id, body) values (?, ?, ?, ?)
     on conflict (kind, scope, id) do update set body = excluded.body`,
  )
  const erase = database.prepare('delete from records where kind = ? and scope = ? and id = ?')
  return {
    all: () => [...kept.values()],
    find: (id) => kept.get(id),
    save: (thing) => {
      kept.set(thing.id, thing)
      write.run(kind, scope, thing.id, JSON.stringify(thing))
    },
    remove: (id) => {
      kept.delete(id)
      erase.run(kind, scope, id)
    },
  }
}
