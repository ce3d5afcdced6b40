import {isPostgres} from './is-postgres.ts'
import type {ToolOptions, ToolStore} from './opening.ts'
import * as sqliteLock from './sqlite/one-bot/bot-lock.ts'
import {openSqliteTool} from './sqlite/open-tool.ts'

export type {ToolStore} from './opening.ts'

/**
 * Opens a database that stands, and changes nothing about it.
 *
 * @throws {StoreError} when it is missing, damaged, of another version, or sealed with other keys.
 */
export async function openToolStore(options: ToolOptions): Promise<ToolStore> {
  if (!isPostgres(options.path)) return openSqliteTool(options)
  const {openPostgresTool} = await import('./postgres/open-tool.ts')
  return openPostgresTool(options)
}

/** Whether a bot lives on this database. Only asks, and holds nothing. */
export async function isBotRunning(path: string): Promise<boolean> {
  if (!isPostgres(path)) return sqliteLock.isBotRunning(path)
  const {livingBots} = await import('./postgres/bot-lock.ts')
  return (await livingBots(path)).length > 0
}

/**
 * No bot starts on this database until this is disposed.
 *
 * @throws {StoreError} `in-use` while one runs.
 */
export async function keepBotsOut(path: string): Promise<Disposable | AsyncDisposable> {
  if (!isPostgres(path)) return sqliteLock.openBotLock(path)
  const lock = await import('./postgres/bot-lock.ts')
  return lock.keepBotsOut(path)
}
