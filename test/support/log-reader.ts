// A process that keeps a copy of a database by reading its log, as Litestream does: it has tables of its own there, reads without
// an end so that nobody cuts the log off behind it, copies what is written, and from time to time lets go to empty the log
// itself. Told `follow`, it does that by itself; told `end`, it copies the rest and says how many generations it kept.
import {copyFileSync, mkdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as delay} from 'node:timers/promises'
import Database from 'better-sqlite3'

const LOOK_MS = 50
/** Longer than Litestream does, so that whoever looks every second meets it soon. */
const AWAY_MS = 200
/** Litestream's own measure: so much is let grow before it empties the log. */
const LONG_BYTES = 1000 * 4096
const [path = '', copies = ''] = process.argv.slice(2)
const open = (): Database.Database => new Database(path, {timeout: 5000, fileMustExist: true})
const reader = open()
const writer = open()
// Nobody but its own checkpoints moves anything.
for (const database of [reader, writer]) database.pragma('wal_autocheckpoint = 0')
writer.exec(`create table if not exists _litestream_seq (id integer primary key, seq integer);
  create table if not exists _litestream_lock (id integer)`)
let generation = -1
/** Of which log, as it was then. */
let copied = ''
const told = new Set<string>()

begin()
console.log('ready')
createInterface(process.stdin).on('line', (line) => told.add(line))
while (!told.has('end')) {
  copyLog()
  if (told.has('follow') && statSync(`${path}-wal`).size > LONG_BYTES) await checkpoint()
  await delay(LOOK_MS)
}
copyLog()
reader.exec('commit')
reader.close()
writer.close()
console.log(String(generation + 1))
process.stdin.destroy()

/** The file as it is while nobody writes; from then on the log says all. */
function begin(): void {
  writer.exec('begin immediate; insert into _litestream_lock values (1)')
  reader.exec('begin; select count(*) from _litestream_seq')
  reader.prepare('select count(*) from _litestream_seq').get()
  generation += 1
  mkdirSync(join(copies, String(generation)), {recursive: true})
  copyFileSync(path, join(copies, String(generation), 'bosun.db'))
  copyLog()
  writer.exec('rollback')
}

function copyLog(): void {
  const {mtimeMs, size} = statSync(`${path}-wal`)
  const now = `${generation} ${mtimeMs} ${size}`
  if (now === copied) return
  copyFileSync(`${path}-wal`, join(copies, String(generation), 'bosun.db-wal'))
  copied = now
}

/** What comes between may be written by anybody: a new copy begins. */
async function checkpoint(): Promise<void> {
  copyLog()
  reader.exec('commit')
  await delay(AWAY_MS)
  writer.pragma('wal_checkpoint(passive)')
  writer.exec('insert into _litestream_seq values (1, 1) on conflict do update set seq = seq + 1')
  begin()
}
