import type {Kysely, Selectable} from 'kysely'
import {SealError, type Sealer} from '../../../security/seal.ts'
import {type HookSecrets, NOWHERE, freshKeys, toJson, toSecrets} from './hook-secrets.ts'
import {Secret} from '../../../security/secret.ts'
import type {Schema} from '../../database/schema.ts'
import {placeOf} from '../../database/sealed-values.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'
import {unsay} from '../pull-requests/naming.ts'
import {seekRunsOf} from './runs.ts'

/**
 * An address of ours that passes deliveries on to one automation, or takes what a code host says of pull requests. What must
 * not be seen is told by `secretsOf` alone.
 */
export interface Hook {
  /** Stands in its address: opaque, and no secret. */
  id: string
  team: string
  channel: string
  kind: HookKind
  /** The automation's, as it was when the hook was made. */
  name: string
  automationId: string | undefined
  /** `off`: it takes nothing, and what waits goes on waiting. */
  state: 'on' | 'off'
  /** How often its secret was replaced. */
  turn: number
  madeBy: string
  /** What its deliveries begin is followed in its channel. */
  follows: boolean
  /** What it says of pull requests counts in the whole workspace. */
  isWide: boolean
  /** When a code host last sent something to it, to a minute. */
  heardAtMs: number | undefined
  /** The automation's, which need not be the channel's. `undefined`: nobody knows it. */
  projectId: string | undefined
  /** No work of it was looked for yet: it may be in any project. */
  isNew: boolean
  /** The channel's key at that time; `undefined`: nobody noted it. */
  madeWith: {connectionId: string | undefined} | undefined
}

/** Who sends something to it: a program that starts an automation, or GitHub. */
export type HookKind = 'automation' | 'github'

type NewHook = Pick<Hook, 'team' | 'channel' | 'name' | 'automationId' | 'madeBy'> & {
  /** The same one makes one hook. */
  requestId: string
  url: Secret
} & Partial<Pick<Hook, 'kind' | 'isWide' | 'projectId' | 'madeWith'>>

/** Nobody looks at it more closely, and each time is a write. */
const HEARD_EVERY_MS = 60_000

export interface HookStore {
  add(hook: NewHook, nowMs: number): Promise<Hook>
  byId(id: string): Promise<Hook | undefined>
  /** The one that was made for it. */
  byRequest(requestId: string): Promise<Hook | undefined>
  ofChannel(team: string, channel: string): Promise<Hook[]>
  /** The secrets of a hook; of none, such as nobody knows, found with as much work. */
  secretsOf(id: string): Promise<{hook: Hook | undefined; secrets: HookSecrets}>
  switch(id: string, state: Hook['state']): Promise<void>
  follow(id: string, follows: boolean): Promise<void>
  /** A code host has sent something to it. */
  heard(id: string, nowMs: number): Promise<void>
  /**
   * Another secret, if it was replaced so often until now; the one before it counts until then. `undefined`: somebody else
   * was faster.
   */
  rotate(id: string, turn: number, formerUntilMs: number): Promise<HookSecrets | undefined>
  /** No secret counts but the newest, if that was replaced so often until now. False: somebody else was faster. */
  revokeFormers(id: string, turn: number): Promise<boolean>
  /** Learns the secrets that others have made since. */
  reload(): Promise<void>
  /** With all that was delivered to it. What that may have begun is looked for. */
  remove(id: string): Promise<void>
}

/** An answer with a new secret may get lost, and then another one is made: the one that senders use must outlive that. */
export const MAX_FORMERS = 2

interface HooksOptions {
  sealer: Sealer
  learn: (secret: Secret) => void
  /** There are secrets that others have not learned. */
  onChanged: () => void
}

type SealedHook = Pick<
  Selectable<Schema['hooks']>,
  'id' | 'sealed' | 'kind' | 'automation_id' | 'project_id'
>

/** The platform gave its address, or has begun something for it. */
function isProven({kind, automation_id: automationId, project_id: projectId}: SealedHook): boolean {
  return kind === 'automation' && (automationId !== null || (projectId ?? '') !== '')
}

/** @throws {SealError} from `add` and `rotate` where no sealing key is set. */
export async function openHookStore(
  db: Kysely<Schema>,
  write: Write,
  {sealer, learn, onChanged}: HooksOptions,
): Promise<HookStore> {
  /** What somebody typed may be any word, and is no secret before the platform has begun something for it. */
  const learned = (secrets: HookSecrets, isProven: boolean): HookSecrets => {
    const own = [secrets.secret, ...secrets.formers.map(({secret}) => secret)]
    for (const one of isProven ? [secrets.url, ...own] : own) learn(one)
    return secrets
  }
  const seal = (id: string, secrets: HookSecrets): string =>
    sealer.seal(toJson(learned(secrets, false)), placeOf({table: 'hooks', row: id}))
  const open = (row: SealedHook): HookSecrets => {
    const place = placeOf({table: 'hooks', row: row.id})
    return learned(toSecrets(sealer.open(row.sealed, place)), isProven(row))
  }
  /** A hook whose secrets are lost is told of when it is looked at. */
  const learnOf = (row: SealedHook): void => {
    try {
      open(row)
    } catch (error) {
      if (!(error instanceof SealError)) throw error
    }
  }
  /** What was learned, as it was sealed. */
  let known: ReadonlySet<string> = new Set()
  const reload: HookStore['reload'] = async () => {
    const rows = await db
      .selectFrom('hooks')
      .select(['id', 'sealed', 'kind', 'automation_id', 'project_id'])
      .execute()
    const keyOf = (row: SealedHook): string => `${row.sealed} ${isProven(row)}`
    for (const row of rows) if (!known.has(keyOf(row))) learnOf(row)
    known = new Set(rows.map(keyOf))
  }
  await reload()
  /** Made once: what is learned stays, and strangers ask as often as they like. */
  const nobodys = {url: new Secret(NOWHERE), ...freshKeys(), formers: []}
  let sealedNobodys: string | undefined

  /** Whether a hook exists must not show in how long it takes to refuse. */
  const openNobodys = (): HookSecrets => {
    try {
      sealedNobodys ??= seal('', nobodys)
      const place = placeOf({table: 'hooks', row: ''})
      return learned(toSecrets(sealer.open(sealedNobodys, place)), false)
    } catch {
      // Without sealing keys there are no hooks to tell it from.
      return nobodys
    }
  }

  const rowOf = (id: string) =>
    db.selectFrom('hooks').selectAll().where('id', '=', id).executeTakeFirst()

  const add: HookStore['add'] = async (hook, nowMs) => {
    const {requestId, url, team, channel, name, automationId, madeBy} = hook
    const {kind = 'automation', isWide = false, projectId = null, madeWith} = hook
    const id = newId()
    const of = {team, channel, name, kind, wide: isWide ? 1 : 0}
    const connectionId = madeWith === undefined ? null : (madeWith.connectionId ?? '')
    const reach = {project_id: projectId, connection_id: connectionId}
    const about = {...of, ...reach, automation_id: automationId ?? null, made_by: madeBy}
    const sealed = seal(id, {url, ...freshKeys(), formers: []})
    const made = await write(async (transaction) => {
      await transaction
        .insertInto('hooks')
        .values({id, request_id: requestId, ...about, sealed, state: 'on', made_at_ms: nowMs})
        .onConflict((conflict) => conflict.column('request_id').doNothing())
        .execute()
      const row = await transaction
        .selectFrom('hooks')
        .selectAll()
        .where('request_id', '=', requestId)
        .executeTakeFirstOrThrow()
      return toHook(row)
    })
    onChanged()
    return made
  }

  const ofChannel: HookStore['ofChannel'] = async (team, channel) => {
    const rows = await db
      .selectFrom('hooks')
      .selectAll()
      .where('team', '=', team)
      .where('channel', '=', channel)
      .orderBy('made_at_ms')
      .execute()
    return rows.map(toHook)
  }

  const secretsOf: HookStore['secretsOf'] = async (id) => {
    const row = await rowOf(id)
    if (row === undefined) return {hook: undefined, secrets: openNobodys()}
    return {hook: toHook(row), secrets: open(row)}
  }

  /** What its secrets become; `undefined` when somebody else was faster. */
  const turnTo = async (
    id: string,
    turn: number,
    change: (secrets: HookSecrets) => HookSecrets,
  ): Promise<HookSecrets | undefined> => {
    const row = await rowOf(id)
    if (row?.turn !== turn) return undefined
    const secrets = change(open(row))
    const sealed = seal(id, secrets)
    const {numUpdatedRows} = await write((transaction) =>
      transaction
        .updateTable('hooks')
        .set({sealed, turn: turn + 1})
        .where('id', '=', id)
        .where('turn', '=', turn)
        .executeTakeFirst(),
    )
    if (numUpdatedRows !== 1n) return undefined
    onChanged()
    return secrets
  }

  const rotate: HookStore['rotate'] = (id, turn, untilMs) =>
    turnTo(id, turn, ({secret, formers, ...kept}) => ({
      ...kept,
      secret: freshKeys().secret,
      formers: [{secret, untilMs}, ...formers].slice(0, MAX_FORMERS),
    }))

  return {
    add,
    byId: async (id) => {
      const row = await rowOf(id)
      return row && toHook(row)
    },
    byRequest: async (requestId) => {
      const query = db.selectFrom('hooks').selectAll().where('request_id', '=', requestId)
      const row = await query.executeTakeFirst()
      return row && toHook(row)
    },
    ofChannel,
    secretsOf,
    reload,
    switch: (id, state) =>
      write(async (transaction) => {
        await transaction.updateTable('hooks').set({state}).where('id', '=', id).execute()
      }),
    follow: (id, follows) =>
      write(async (transaction) => {
        await transaction
          .updateTable('hooks')
          .set({follows: follows ? 1 : 0})
          .where('id', '=', id)
          .execute()
      }),
    heard: async (id, nowMs) => {
      const row = await rowOf(id)
      if (row === undefined || nowMs - (row.heard_at_ms ?? 0) < HEARD_EVERY_MS) return
      await write(async (transaction) => {
        await transaction
          .updateTable('hooks')
          .set({heard_at_ms: nowMs})
          .where('id', '=', id)
          .execute()
      })
    },
    rotate,
    revokeFormers: async (id, turn) =>
      (await turnTo(id, turn, (secrets) => ({...secrets, formers: []}))) !== undefined,
    remove: (id) =>
      write(async (transaction) => {
        await seekRunsOf(transaction, id)
        await transaction.deleteFrom('deliveries').where('hook_id', '=', id).execute()
        await unsay(transaction, id)
        await transaction.deleteFrom('hooks').where('id', '=', id).execute()
      }),
  }
}

function toHook(row: Selectable<Schema['hooks']>): Hook {
  return {
    id: row.id,
    team: row.team,
    channel: row.channel,
    name: row.name,
    turn: row.turn,
    automationId: row.automation_id ?? undefined,
    state: row.state as Hook['state'],
    madeBy: row.made_by,
    follows: row.follows === 1,
    kind: row.kind as HookKind,
    isWide: row.wide === 1,
    heardAtMs: row.heard_at_ms ?? undefined,
    projectId: row.project_id || undefined,
    isNew: row.project_id === null,
    madeWith:
      row.connection_id === null ? undefined : {connectionId: row.connection_id || undefined},
  }
}
