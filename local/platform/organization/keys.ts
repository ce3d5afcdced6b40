import {randomBytes} from 'node:crypto'
import {z} from 'zod'
import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import type {KeySeed} from '../seed/seed.ts'

/** Whom a key stands for, and what it may do. Sections 5.3 and 5.4. */
export interface Principal {
  key: string
  /** What the seed calls the key. */
  label: string
  kind: 'human' | 'service'
  /** The member's, or that of the service user. */
  id: string
  /** The member that a human key acts as; a service key is nobody. */
  userId: string | null
  /** What the transcript calls this principal. */
  name: string
  /** False for the role `read_only`: 403 on mutations. */
  canWrite: boolean
  /** The project allowlist; `null`: every project. */
  projectIds: readonly string[] | null
}

/** The API keys of the organization. Section 5. */
export interface Keys {
  /** Makes a key for each name that has none yet, so that clients keep working after a restart. */
  ensure(seeds: Readonly<Record<string, KeySeed>>): Record<string, string>
  /** `undefined` for an unknown or revoked key, and for the key of a member who left. */
  principal(key: string): Principal | undefined
  /** A member, or whom a service key of this id stands for, revoked ones too; `undefined` for nobody, and for a member who left. */
  owner(kind: Principal['kind'], id: string): Principal | undefined
  revoke(key: string): void
}

interface KeyRow {
  key: string
  label: string
  kind: 'human' | 'service'
  id: string
  userId: string | null
  name: string
  role: string
  projectIds: string | null
}

const idsSchema = z.array(z.string())

/** A service user has one key, whose label tells it from all others. */
const OWNER_ID = `coalesce(userId, 'service_' || label)`
const SELECT_ACTIVE = `select key, label, kind, ${OWNER_ID} as id, userId, role, projectIds,
  coalesce(name, firstName || ' ' || lastName) as name
  from keys left join users on users.id = keys.userId where coalesce(active, 1) = 1`

export function createKeys(database: Database, clock: Clock): Keys {
  database.exec(`create table if not exists keys (
    key text primary key, label text not null unique, kind text not null,
    userId text references users (id), name text, role text not null, projectIds text, revokedAt text
  ) strict`)
  const find = database.prepare<[string], string>('select key from keys where label = ?').pluck()
  const insert = database.prepare(
    'insert into keys (key, label, kind, userId, name, role, projectIds) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const principal = database.prepare<[string], KeyRow>(
    `${SELECT_ACTIVE} and key = ? and revokedAt is null`,
  )
  const owner = database.prepare<[string, string], KeyRow>(
    `${SELECT_ACTIVE} and kind = ? and ${OWNER_ID} = ? limit 1`,
  )
  /** Who may be named need have no key. */
  const member = database.prepare<[string], KeyRow>(
    `select '' as key, '' as label, 'human' as kind, id, id as userId, 'member' as role,
     null as projectIds, firstName || ' ' || lastName as name from users where active = 1 and id = ?`,
  )
  const revoke = database.prepare(
    'update keys set revokedAt = ? where key = ? and revokedAt is null',
  )
  const ensure = (label: string, seed: KeySeed): string => {
    const existing = find.get(label)
    if (existing !== undefined) return existing
    const key = `key_${seed.kind}_${randomBytes(18).toString('base64url')}`
    if (seed.kind === 'human') insert.run(key, label, 'human', seed.userId, null, 'member', null)
    else {
      const projectIds = seed.projectIds === undefined ? null : JSON.stringify(seed.projectIds)
      insert.run(key, label, 'service', null, seed.name, seed.role, projectIds)
    }
    return key
  }
  return {
    ensure: (seeds) =>
      Object.fromEntries(
        Object.entries(seeds).map(([label, seed]) => [label, ensure(label, seed)]),
      ),
    principal: (key) => {
      const row = principal.get(key)
      return row && toPrincipal(row)
    },
    owner: (kind, id) => {
      const row = owner.get(kind, id) ?? (kind === 'human' ? member.get(id) : undefined)
      return row && toPrincipal(row)
    },
    revoke: (key) => void revoke.run(isoNow(clock), key),
  }
}

function toPrincipal({role, projectIds, ...row}: KeyRow): Principal {
  return {
    ...row,
    canWrite: role !== 'read_only',
    projectIds: projectIds === null ? null : idsSchema.parse(JSON.parse(projectIds)),
  }
}
