// A process that brings a database to this version, and may be killed over it. It says `ready`, waits for a line with the path,
// says `about to` when all that is left is the migration of a file, and `open` when it is done.
import {writeSync} from 'node:fs'
import {flushCompileCache} from 'node:module'
import {createInterface} from 'node:readline'
import {Secret} from '../../../src/security/secret.ts'
import {openStore} from '../../../src/store/store.ts'
import {RELEASED_KEY} from './versions.ts'

// What is read of it only when a server is asked: so late that a kill would meet nothing else.
await import('../../../src/store/postgres/open.ts')
// A process that is killed leaves its compiled modules to nobody otherwise.
flushCompileCache()
writeSync(1, 'ready\n')
for await (const path of createInterface(process.stdin)) {
  const sealingKeys = [{id: RELEASED_KEY.id, key: new Secret(RELEASED_KEY.text)}]
  // Of a file it is told before it is changed.
  await openStore({path, sealingKeys, tell: () => writeSync(1, 'about to\n')})
  writeSync(1, 'open\n')
}
