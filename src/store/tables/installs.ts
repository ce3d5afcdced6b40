import type {Kysely, Selectable, Transaction} from 'kysely'
import type {Sealer} from '../../security/seal.ts'
import type {Schema} from '../database/schema.ts'
import {placeOf} from '../database/sealed-values.ts'
import type {Write} from '../database/writer.ts'
import {endRows} from './inbox.ts'

/** The app in one workspace, or in a whole Enterprise organization. */
export interface Install {
  /** The workspace's id, or the organization's (`E…`). */
  id: string
  botUserId: string
  installedBy: string
  /** All that Slack gave, tokens included, as JSON: only the opened row holds it in clear. */
  installation: string
  installedAtMs: number
}

export interface InstallStore {
  /** In the place of one that stands: `merged` says what its contents become then. What stands now. */
  keep(install: Install, merged?: (standing: Install) => string): Promise<Install>
  /** Other contents, made of those that stand, whoever else changes them. `undefined`: there is no such install any more. */
  change(id: string, change: (standing: Install) => string): Promise<Install | undefined>
  byId(id: string): Promise<Install | undefined>
  all(): Promise<Install[]>
  /**
   * Ends one, with its tokens, or what it has in some workspaces; in the same commit ends all that belongs to those,
   * where they have no install of their own. Which they were; `undefined`, and nothing is changed: it is gone, or was
   * made anew since.
   */
  end: (
    judged: Pick<Install, 'id' | 'installedAtMs'>,
    over: (standing: Install) => Over,
  ) => Promise<string[] | undefined>
  /** Ends all that belongs to a workspace whose install stands in no table. */
  letGo(team: string): Promise<void>
}

interface Over {
  teams: readonly string[]
  /** The contents of what stays; `undefined`: nothing does. */
  stays: string | undefined
}

interface InstallOptions {
  sealer: Sealer
  /** All that belongs to a workspace ends. */
  letGo: (transaction: Transaction<Schema>, team: string) => Promise<void>
}

/** @throws {SealError} from `keep` where no sealing key is set. */
export function createInstallStore(
  db: Kysely<Schema>,
  write: Write,
  {sealer, letGo}: InstallOptions,
): InstallStore {
  const toInstall = (row: Selectable<Schema['installs']>): Install => ({
    id: row.id,
    botUserId: row.bot_user,
    installedBy: row.installed_by,
    installation: sealer.open(row.installation, placeOf({table: 'installs', row: row.id})),
    installedAtMs: row.installed_at_ms,
  })

  const seal = (id: string, installation: string): string =>
    sealer.seal(installation, placeOf({table: 'installs', row: id}))
  const rowOf = (of: Kysely<Schema>, id: string) =>
    of.selectFrom('installs').selectAll().where('id', '=', id).executeTakeFirst()

  const replace = (of: Kysely<Schema>, id: string, installation: string) =>
    of
      .updateTable('installs')
      .set({installation: seal(id, installation)})
      .where('id', '=', id)
      .execute()

  return {
    keep: (install, merged = () => install.installation) =>
      write(async (transaction) => {
        const {id} = install
        const standing = await rowOf(transaction, id)
        const installation = standing ? merged(toInstall(standing)) : install.installation
        const row = {
          installation: seal(id, installation),
          bot_user: install.botUserId,
          installed_by: install.installedBy,
          installed_at_ms: install.installedAtMs,
        }
        // What Slack let us do before says nothing of now.
        await transaction.deleteFrom('room_support').where('team', '=', id).execute()
        await transaction
          .insertInto('installs')
          .values({id, ...row})
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute()
        return {...install, installation}
      }),
    change: (id, change) =>
      write(async (transaction) => {
        const row = await rowOf(transaction, id)
        if (row === undefined) return undefined
        const standing = toInstall(row)
        const installation = change(standing)
        if (installation !== standing.installation) await replace(transaction, id, installation)
        return {...standing, installation}
      }),
    byId: async (id) => {
      const row = await rowOf(db, id)
      return row && toInstall(row)
    },
    all: async () => (await db.selectFrom('installs').selectAll().execute()).map(toInstall),
    end: ({id, installedAtMs}, over) =>
      write(async (transaction) => {
        const row = await rowOf(transaction, id)
        if (row?.installed_at_ms !== installedAtMs) return undefined
        const {teams, stays} = over(toInstall(row))
        if (stays === undefined) {
          await transaction.deleteFrom('installs').where('id', '=', id).execute()
          await endRows(transaction, id)
        } else await replace(transaction, id, stays)
        const gone: string[] = []
        for (const team of teams) {
          if ((await rowOf(transaction, team)) !== undefined) continue
          await letGo(transaction, team)
          gone.push(team)
        }
        return gone
      }),
    letGo: (team) => write((transaction) => letGo(transaction, team)),
  }
}
