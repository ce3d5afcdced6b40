import {onTestFinished} from 'vitest'
import {createSealer} from '../../src/security/seal.ts'
import {Secret} from '../../src/security/secret.ts'
import {createCondition} from '../../src/store/database/condition.ts'
import {createWriter} from '../../src/store/database/writer.ts'
import type {Notices} from '../../src/store/notices/notices.ts'
import {openSharedNotices} from '../../src/store/notices/shared.ts'
import {connect} from '../../src/store/postgres/connect.ts'
import {type Tables, openTables} from '../../src/store/tables.ts'

/** What all instances of a test seal with. */
export const SEALING_KEYS = [{id: 'k', key: new Secret(Buffer.alloc(32, 5).toString('base64'))}]

/** The tables and notices of one of several instances that work with one database. */
export async function openBeside(
  url: string,
  {
    isHearing = true,
    sealingKeys = SEALING_KEYS,
  }: {isHearing?: boolean; sealingKeys?: typeof SEALING_KEYS} = {},
): Promise<Tables & {notices: Notices; learned: Set<string>}> {
  const condition = createCondition()
  const db = connect(url, condition.failed)
  const {write, stop} = createWriter({db, condition})
  const notices = isHearing ? openSharedNotices({url, tell: () => undefined}) : deaf
  onTestFinished(async () => {
    await stop()
    await notices[Symbol.asyncDispose]()
    await db.destroy()
  })
  const learned = new Set<string>()
  const tables = await openTables(db, write, {
    sealer: createSealer(sealingKeys),
    learn: (secret) => void learned.add(secret.reveal()),
    tell: notices.tell,
  })
  return {...tables, notices, learned}
}

/** Nobody is told or heard. */
const deaf: Notices = {
  tell: () => undefined,
  onHeard: () => undefined,
  onMissed: () => undefined,
  isListening: () => true,
  [Symbol.asyncDispose]: async () => undefined,
}
