import {randomInt} from 'node:crypto'
import type {Db} from 'pg-boss'
import type {Claim} from './ownership.ts'
import {SILENCE_MS} from './queue.ts'

/** Below this a name begins, anywhere, so that one that was forgotten and comes back hardly meets its old number. */
const FIRST_EPOCHS = 1e9
/** A name without an owner: withdrawn by somebody else than whoever had it, who may not have heard of it yet. */
const NOBODY = ''

const NOW_MS = 'extract(epoch from clock_timestamp())::float8 * 1000'

/**
 * The next epoch of each, in the order of their names, as everybody locks them. Left out is what was taken from somebody
 * who may not know yet.
 */
export async function claim(
  db: Db,
  names: readonly string[],
  owner: string,
): Promise<Pick<Claim, 'name' | 'epoch'>[]> {
  const {rows} = await db.executeSql(
    `insert into claims as known (name, epoch, owner, claimed_at_ms)
      select name, epoch, $3, ${NOW_MS}
      from unnest($1::text[], $2::bigint[]) as asked (name, epoch) order by name collate "C"
    on conflict (name) do update
      set epoch = known.epoch + 1, owner = excluded.owner, claimed_at_ms = excluded.claimed_at_ms
      where known.owner <> '${NOBODY}' or known.claimed_at_ms < excluded.claimed_at_ms - ${SILENCE_MS}
    returning name, epoch::float8 as epoch`,
    [names, names.map(() => randomInt(1, FIRST_EPOCHS)), owner],
  )
  return rows as Pick<Claim, 'name' | 'epoch'>[]
}

/** A name that nobody works for any more. */
export async function forget(db: Db, name: string): Promise<void> {
  await db.executeSql('delete from claims where name = $1', [name])
}

/** Whoever has it commits nothing more from now on, and finds out; until then nobody else has it. */
export async function expel(db: Db, name: string): Promise<void> {
  await db.executeSql(
    `update claims set epoch = epoch + 1, owner = '${NOBODY}', claimed_at_ms = ${NOW_MS}
      where name = $1 and owner <> '${NOBODY}'`,
    [name],
  )
}
