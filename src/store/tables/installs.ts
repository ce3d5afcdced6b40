import type {Kysely, Selectable} from 'kysely'
import type {Sealer} from '../../security/seal.ts'
import type {Schema} from '../database/schema.ts'
import {placeOf} from '../database/sealed-values.ts'
import type {Write} from '../database/writer.ts'

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
  keep(install: Install): Promise<void>
  /** The same install with other contents. False: there is none any more. */
  renew(id: string, installation: string): Promise<boolean>
  byId(id: string): Promise<Install | undefined>
  all(): Promise<Install[]>
  /** Its tokens are deleted with it. */
  remove(id: string): Promise<boolean>
}

/** @throws {SealError} from `keep` where no sealing key is set. */
export function createInstallStore(db: Kysely<Schema>, write: Write, sealer: Sealer): InstallStore {
  const toInstall = (row: Selectable<Schema['installs']>): Install => ({
    id: row.id,
    botUserId: row.bot_user,
    installedBy: row.installed_by,
    installation: sealer.open(row.installation, placeOf({table: 'installs', row: row.id})),
    installedAtMs: row.installed_at_ms,
  })

  return {
    keep: async ({id, botUserId, installedBy, installation, installedAtMs}) => {
      const row = {
        installation: sealer.seal(installation, placeOf({table: 'installs', row: id})),
        bot_user: botUserId,
        installed_by: installedBy,
        installed_at_ms: installedAtMs,
      }
      await write((transaction) =>
        transaction
          .insertInto('installs')
          .values({id, ...row})
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute(),
      )
    },
    renew: (id, installation) =>
      write(async (transaction) => {
        const {numUpdatedRows} = await transaction
          .updateTable('installs')
          .set({installation: sealer.seal(installation, placeOf({table: 'installs', row: id}))})
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
    byId: async (id) => {
      const row = await db
        .selectFrom('installs')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toInstall(row)
    },
    all: async () => (await db.selectFrom('installs').selectAll().execute()).map(toInstall),
    remove: (id) =>
      write(async (transaction) => {
        const {numDeletedRows} = await transaction
          .deleteFrom('installs')
          .where('id', '=', id)
          .executeTakeFirst()
        return numDeletedRows === 1n
      }),
  }
}
