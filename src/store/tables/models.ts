import type {Kysely, Selectable, Transaction} from 'kysely'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'
import {newId} from './new-id.ts'
import type {ModelCandidate, ModelChoice} from './work/link.ts'

/** Whose models: those of a key in a workspace. `connectionId` is `undefined` for the key of the environment. */
interface Of {
  team: string
  connectionId: string | undefined
}

/** A model by a name of the workspace's own. It names a model, and never another alias. */
export interface Alias extends Of {
  /** Opaque; it stands in buttons. */
  id: string
  name: string
  modelId: string
  effort: string | undefined
  modes: readonly string[]
  changedBy: string
  changedAtMs: number
}

type NewAlias = Pick<Alias, 'name' | 'modelId' | 'effort' | 'modes'>

/** `sinceMs`: when what was shown to them had been changed last; `undefined`: it was not there. */
interface By {
  user: string
  nowMs: number
  sinceMs: number | undefined
}

/** `stale`: it is not what it was when they looked. `full`: there are {@link MAX_ALIASES} already. */
type Outcome = {outcome: 'done' | 'full'} | {outcome: 'stale'; by: string | undefined}

/** Names of models, and the models that were met, since the platform's API has no list of them. */
export interface ModelStore {
  /** By name. */
  aliases(of: Of): Promise<Alias[]>
  alias(id: string): Promise<Alias | undefined>
  /** Gives a model a name, or a name another model. */
  name(of: Of, alias: NewAlias, by: By): Promise<Outcome>
  /** False: it is not there, or not as it was since then. */
  unname(id: string, sinceMs: number): Promise<boolean>
  /** The newest first. */
  known(of: Of): Promise<ModelCandidate[]>
  /** Remembers that they were met now; what the platform calls them stays where it does not say. */
  meet(of: Of, models: readonly ModelCandidate[], nowMs: number): Promise<void>
}

/** Slack takes so many entries in a menu. */
export const MAX_ALIASES = 50
/** Older ones make room. */
export const MAX_KNOWN = 100

export function createModelStore(db: Kysely<Schema>, write: Write): ModelStore {
  const aliasesIn = (from: Pick<Kysely<Schema>, 'selectFrom'>, {team, connectionId = ''}: Of) =>
    from
      .selectFrom('model_aliases')
      .selectAll()
      .where('team', '=', team)
      .where('connection_id', '=', connectionId)
      .orderBy('lower_name')
      .execute()

  const name: ModelStore['name'] = (of, alias, {user, nowMs, sinceMs}) =>
    write(async (transaction) => {
      const all = await aliasesIn(transaction, of)
      const lowerName = alias.name.toLowerCase()
      const before = all.find((row) => row.lower_name === lowerName)
      const values = {
        name: alias.name,
        model_id: alias.modelId,
        effort: alias.effort ?? null,
        modes: JSON.stringify(alias.modes),
        changed_by: user,
      }
      // Asked once more after a crash: it is what was wanted.
      const standing = before && {
        name: before.name,
        model_id: before.model_id,
        effort: before.effort,
        modes: before.modes,
        changed_by: before.changed_by,
      }
      if (JSON.stringify(standing) === JSON.stringify(values)) return {outcome: 'done'}
      if (before?.changed_at_ms !== sinceMs) return {outcome: 'stale', by: before?.changed_by}
      if (before === undefined && all.length >= MAX_ALIASES) return {outcome: 'full'}
      // Two changes in one millisecond are two.
      const atMs = Math.max(nowMs, (sinceMs ?? 0) + 1)
      const row = {...values, changed_at_ms: atMs}
      const {team, connectionId = ''} = of
      await (before === undefined
        ? transaction
            .insertInto('model_aliases')
            .values({id: newId(), team, connection_id: connectionId, lower_name: lowerName, ...row})
            .execute()
        : transaction.updateTable('model_aliases').set(row).where('id', '=', before.id).execute())
      return {outcome: 'done'}
    })

  const unname: ModelStore['unname'] = (id, sinceMs) =>
    write(async (transaction) => {
      const {numDeletedRows} = await transaction
        .deleteFrom('model_aliases')
        .where('id', '=', id)
        .where('changed_at_ms', '=', sinceMs)
        .executeTakeFirst()
      return numDeletedRows === 1n
    })

  const known: ModelStore['known'] = async (of) =>
    (await knownIn(db, of)).map(({model_id: modelId, name: called, billing_label: label}) => ({
      modelId,
      ...(called !== null && {name: called}),
      ...(label !== null && {billingLabel: label}),
    }))

  const meet: ModelStore['meet'] = (of, models, nowMs) =>
    write(async (transaction) => {
      const {team, connectionId = ''} = of
      for (const {modelId, name: called, billingLabel} of models.slice(0, MAX_KNOWN)) {
        const said = {
          ...(called !== undefined && {name: called}),
          ...(billingLabel !== undefined && {billing_label: billingLabel}),
        }
        await transaction
          .insertInto('known_models')
          .values({
            team,
            connection_id: connectionId,
            model_id: modelId,
            seen_at_ms: nowMs,
            ...said,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['team', 'connection_id', 'model_id'])
              .doUpdateSet({seen_at_ms: nowMs, ...said}),
          )
          .execute()
      }
      await forgetOldest(transaction, of)
    })

  return {
    aliases: async (of) => (await aliasesIn(db, of)).map(toAlias),
    alias: async (id) => {
      const row = await db
        .selectFrom('model_aliases')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toAlias(row)
    },
    name,
    unname,
    known,
    meet,
  }
}

function knownIn(db: Pick<Kysely<Schema>, 'selectFrom'>, {team, connectionId = ''}: Of) {
  return db
    .selectFrom('known_models')
    .selectAll()
    .where('team', '=', team)
    .where('connection_id', '=', connectionId)
    .orderBy('seen_at_ms', 'desc')
    .orderBy('model_id')
    .execute()
}

async function forgetOldest(transaction: Transaction<Schema>, of: Of): Promise<void> {
  const old = (await knownIn(transaction, of)).slice(MAX_KNOWN)
  if (old.length === 0) return
  await transaction
    .deleteFrom('known_models')
    .where('team', '=', of.team)
    .where('connection_id', '=', of.connectionId ?? '')
    .where(
      'model_id',
      'in',
      old.map(({model_id: id}) => id),
    )
    .execute()
}

function toAlias(row: Selectable<Schema['model_aliases']>): Alias {
  return {
    id: row.id,
    team: row.team,
    connectionId: row.connection_id || undefined,
    name: row.name,
    modelId: row.model_id,
    effort: row.effort ?? undefined,
    modes: JSON.parse(row.modes) as string[],
    changedBy: row.changed_by,
    changedAtMs: row.changed_at_ms,
  }
}

/** What was chosen by this name. */
export function choiceOf({name, modelId, effort, modes}: Alias): ModelChoice {
  return {
    modelId,
    alias: name,
    ...(effort !== undefined && {effort}),
    ...(modes.length > 0 && {modes}),
  }
}
