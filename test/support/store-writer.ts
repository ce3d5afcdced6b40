// A process that does nothing but write to a store, until it is killed. It says `ready`, waits for a line with
// the path of a database and a first number, and then says everything that it knows to be committed.
import {randomInt} from 'node:crypto'
import {writeSync} from 'node:fs'
import {flushCompileCache} from 'node:module'
import {createInterface} from 'node:readline'
import {openStore} from '../../src/store/store.ts'

/** Rows on their way at the same time. */
const SIDE_BY_SIDE = 8

// A process that is killed leaves its compiled modules to nobody otherwise.
flushCompileCache()
say(`ready ${process.pid}`)
for await (const line of createInterface(process.stdin)) {
  const [path = '', from = '0'] = line.split(' ')
  void writeAway(path, Number(from))
}

async function writeAway(path: string, from: number): Promise<void> {
  const store = await openStore({path, sealingKeys: []})
  say('open')
  let next = from
  const writeOn = async (loop: number): Promise<void> => {
    const place = {team: 'T', channel: 'C', slackThread: String(loop)}
    const link = await store.links.open(
      {place, requestId: `r${loop}`, projectId: 'p', startedBy: 'U'},
      0,
    )
    for (;;) {
      const number = (next += 1)
      // Large ones fill the log, so that checkpoints come often.
      const body = 'x'.repeat(randomInt(8) === 0 ? 60_000 : 200)
      await store.inbox.add({team: 'T1', key: String(number), lane: 'l', body}, 0)
      say(`row ${number}`)
      await store.links.change(link.id, {cursor: String(number)})
      say(`cursor ${loop} ${number}`)
    }
  }
  await Promise.all(Array.from({length: SIDE_BY_SIDE}, (_, loop) => writeOn(loop)))
}

/** At once: what is said after a commit must have left the process when the next one begins. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}
