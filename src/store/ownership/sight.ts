import type {Db} from 'pg-boss'
import {ENGINE_SCHEMA} from './queue.ts'
import type {Sight} from './share.ts'

/**
 * Counted in the engine's tables: what it says by itself is a second old, and its list of instances begins with a
 * thousand that are dead.
 */
export async function look(db: Db, instance: string): Promise<Sight> {
  const {rows} = await db.executeSql(
    `with living as (
      select name, row_number() over (order by started_on, id) - 1 as rank
      from ${ENGINE_SCHEMA}.instance
      where stopped_on is null and heartbeat_on >= now() - heartbeat_seconds * 3 * interval '1 second'
    ), jobs as (
      select count(*) as names, count(*) filter (where state < 'active') as free
      from ${ENGINE_SCHEMA}.job where state <= 'active'
    )
    select names::float8, free::float8, (select count(*) from living)::float8 as living,
      (select rank from living where name = $1)::float8 as rank
    from jobs`,
    [instance],
  )
  const [row] = rows as {names: number; free: number; living: number; rank: number | null}[]
  if (row === undefined) throw new Error('PostgreSQL answered without a row')
  const {rank, ...sight} = row
  // Whoever is not seen yet is the youngest.
  return rank === null ? {...sight, living: row.living + 1, rank: row.living} : {...sight, rank}
}
