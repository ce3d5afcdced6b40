import type {SqlDatabase} from '../database.ts'
import type {Payload} from './transport.ts'

/** The events of an app that it has not acknowledged, as the data file keeps them. */
export function openWaitingEvents(database: SqlDatabase, appId: string) {
  const upsert = database.prepare(
    `insert into deliveries (key, app_id, body, attempt, first_at_ms) values (?, ?, ?, ?, ?)
     on conflict (key) do update set attempt = excluded.attempt`,
  )
  const remove = database.prepare('delete from deliveries where key = ?')
  const all = database.prepare<[string], {body: string; attempt: number; firstAtMs: number}>(
    `select body, attempt, first_at_ms as firstAtMs from deliveries where app_id = ? order by rowid`,
  )
  return {
    save: (payload: Payload, attempt: number, firstAtMs: number): void => {
      upsert.run(payload.key, appId, JSON.stringify(payload), attempt, Math.floor(firstAtMs))
    },
    remove: (key: string): void => {
      remove.run(key)
    },
    all: () =>
      all.all(appId).map(({body, ...rest}) => ({...rest, payload: JSON.parse(body) as Payload})),
  }
}

export type WaitingEvents = ReturnType<typeof openWaitingEvents>
