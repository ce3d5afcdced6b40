import type {Kysely, Selectable} from 'kysely'
import {SealError, type Sealer} from '../../security/seal.ts'
import {Secret} from '../../security/secret.ts'
import type {Schema} from '../database/schema.ts'
import {placeOf} from '../database/sealed-values.ts'
import type {Write} from '../database/writer.ts'
import {newId} from './new-id.ts'

/** A stored platform API key with its label, owned by one Slack workspace. The key itself is told by `keyOf` alone. */
export interface StoredConnection {
  id: string
  team: string
  label: string
  /** The end of its key: all that anybody sees of it. */
  last4: string
  /** `refused`: the platform does not take the key any more. `gone`: the key was deleted, and may be replaced. */
  state: 'good' | 'refused' | 'gone'
}

export interface ConnectionStore {
  /** One that the workspace has with this very key is the same one. */
  add(
    connection: {team: string; label: string; key: Secret; madeBy: string},
    nowMs: number,
  ): Promise<StoredConnection>
  ofTeam(team: string): Promise<StoredConnection[]>
  byId(id: string): Promise<StoredConnection | undefined>
  /** Another key for all that works with this connection. */
  replaceKey(id: string, key: Secret, by: string): Promise<void>
  /** True: it was good until now, and whoever noted it is the one to tell. */
  refuse(id: string): Promise<boolean>
  /** The platform takes its key after all. */
  mend(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** The keys as the table has them now: others may have changed some. */
  reload(): Promise<void>
  /** The key, kept in memory; `undefined` where there is none. */
  keyOf(id: string): Secret | undefined
}

interface KeysOptions {
  sealer: Sealer
  learn: (key: Secret) => void
  /** Others have to read it again. */
  onChanged: () => void
}

/**
 * @throws {SealError} from `add` and `replaceKey` where no sealing key is set.
 */
export async function openConnectionStore(
  db: Kysely<Schema>,
  write: Write,
  {sealer, learn, onChanged}: KeysOptions,
): Promise<ConnectionStore> {
  const keys = new Map<string, Secret>()
  /** How often somebody here has changed them: what was read before that is not what they are. */
  let changes = 0
  const hold = (id: string, key: Secret): void => {
    learn(key)
    keys.set(id, key)
  }
  const told = (): void => {
    changes += 1
    onChanged()
  }
  const open = (id: string, sealed: string): Secret =>
    new Secret(sealer.open(sealed, placeOf({table: 'connections', row: id})))

  const reload: ConnectionStore['reload'] = async () => {
    const before = changes
    const rows = await db.selectFrom('connections').select(['id', 'key']).execute()
    if (before !== changes) return reload()
    const found = new Map(rows.flatMap(({id, key}) => (key === null ? [] : [[id, open(id, key)]])))
    for (const id of keys.keys()) if (!found.has(id)) keys.delete(id)
    for (const [id, key] of found) if (keys.get(id)?.reveal() !== key.reveal()) hold(id, key)
  }
  await reload()

  /** Another instance may have stored it a moment ago. */
  const isSame = ({id, key}: {id: string; key: string | null}, value: string): boolean => {
    try {
      return key !== null && open(id, key).reveal() === value
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      return false
    }
  }

  const add: ConnectionStore['add'] = async ({team, label, key, madeBy}, nowMs) => {
    const id = newId()
    const value = key.reveal()
    const row = {
      id,
      team,
      label,
      key: sealer.seal(value, placeOf({table: 'connections', row: id})),
      last4: value.slice(-4),
      state: 'good',
      made_by: madeBy,
      made_at_ms: nowMs,
    }
    const kept = await write(async (transaction) => {
      const rows = await transaction
        .selectFrom('connections')
        .selectAll()
        .where('team', '=', team)
        .execute()
      const standing = rows.find((one) => isSame(one, value))
      if (standing !== undefined) return toConnection(standing)
      await transaction.insertInto('connections').values(row).execute()
      return toConnection(row)
    })
    hold(kept.id, key)
    told()
    return kept
  }

  const ofTeam: ConnectionStore['ofTeam'] = async (team) => {
    const rows = await db
      .selectFrom('connections')
      .selectAll()
      .where('team', '=', team)
      .orderBy('made_at_ms')
      .execute()
    return rows.map(toConnection)
  }

  const byId: ConnectionStore['byId'] = async (id) => {
    const row = await db
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && toConnection(row)
  }

  const replaceKey: ConnectionStore['replaceKey'] = async (id, key, by) => {
    const value = key.reveal()
    const sealed = sealer.seal(value, placeOf({table: 'connections', row: id}))
    await write((transaction) =>
      transaction
        .updateTable('connections')
        .set({key: sealed, last4: value.slice(-4), state: 'good', made_by: by})
        .where('id', '=', id)
        .execute(),
    )
    hold(id, key)
    told()
  }

  const refuse: ConnectionStore['refuse'] = (id) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await transaction
        .updateTable('connections')
        .set({state: 'refused'})
        .where('id', '=', id)
        .where('state', '=', 'good')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    })

  const mend: ConnectionStore['mend'] = async (id) => {
    await write((transaction) =>
      transaction
        .updateTable('connections')
        .set({state: 'good'})
        .where('id', '=', id)
        .where('state', '=', 'refused')
        .execute(),
    )
  }

  const remove: ConnectionStore['remove'] = async (id) => {
    await write((transaction) =>
      transaction.deleteFrom('connections').where('id', '=', id).execute(),
    )
    keys.delete(id)
    told()
  }

  return {add, ofTeam, byId, replaceKey, refuse, mend, remove, reload, keyOf: (id) => keys.get(id)}
}

function toConnection(row: Selectable<Schema['connections']>): StoredConnection {
  const {id, team, label, last4, state} = row
  return {id, team, label, last4, state: state as StoredConnection['state']}
}
