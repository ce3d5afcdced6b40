import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {type Store, openStore} from '../../src/store/store.ts'

/** A path for a database in a folder of its own, which goes with the test. */
export function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-store-'))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  return join(folder, 'data', 'bosun.db')
}

/** A store that is closed with the test. */
export async function temporaryStore(path = temporaryPath()): Promise<Store> {
  const store = await openStore({path, sealingKeys: []})
  onTestFinished(() => store[Symbol.asyncDispose]())
  return store
}

export const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}
export const newLink = {place, requestId: 'r1', projectId: 'p', startedBy: 'U1'}
