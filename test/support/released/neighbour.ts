// A process that reads and writes beside an upgrade, as tools do, until it is killed. It says `ready` once it has done both.
import {setTimeout as delay} from 'node:timers/promises'
import {isPostgres} from '../../../src/store/is-postgres.ts'
import {openRaw} from '../raw-database.ts'

/** For so long what was read is held; then the database is left alone for as long, as whoever marks a file for itself needs it. */
const HELD_MS = 20
const path = process.argv[2] ?? ''
const begin = isPostgres(path) ? 'begin' : 'begin immediate'
for (let times = 0; ; times += 1) {
  await visit()
  if (times === 0) console.log('ready')
  await delay(HELD_MS)
}

async function visit(): Promise<void> {
  await using reader = await openRaw(path)
  await using writer = await openRaw(path)
  await reader.run('begin')
  await reader.all('select * from inbox')
  await reader.all('select * from links')
  await writer.run(begin)
  await writer.run('update sends set text = text')
  await writer.run('commit')
  await delay(HELD_MS)
  await reader.run('commit')
}
