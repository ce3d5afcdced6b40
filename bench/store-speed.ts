import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import Database from 'better-sqlite3'
import {type Store, openStore} from '../src/store/store.ts'
import {type Line, atLeast, atMost, endWith, exactly, never} from './lines.ts'

/** What the store does in a second while many relays confirm their posts, and what a long lock does to it. */

const {values: options} = parseArgs({
  options: {
    relays: {type: 'string', default: '2000'},
    seconds: {type: 'string', default: '10'},
    'lock-seconds': {type: 'string', default: '30'},
    'log-megabytes': {type: 'string', default: '400'},
  },
})
const LOG_WITHIN_MS = 30_000
const MAX_LOG_BYTES = 20e6
/** What four thousand frames a second of two thousand streams could need at most, were each of them an entry. */
const LEAST_ROWS_A_SECOND = 2500
/** While work goes on as fast as it can; bench/streams.ts has the aim of 50 ms for what is usual. */
const MAX_LOOP_MS = 200
/** Holds the lock of the database that it is given until it is killed. */
const LOCKER = `
  const Database = require('better-sqlite3')
  const db = new Database(process.argv[1], {timeout: 5000})
  db.exec('begin immediate')
  console.log('locked')
  setInterval(() => undefined, 1000)`
await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-speed-'))
  try {
    const path = join(folder, 'bosun.db')
    await using store = await openStore({path, sealingKeys: []})
    const linkIds = await openLinks(store, Number(options.relays))
    endWith([
      ...(await measureWrites(store, linkIds)),
      ...(await measureLock(store, path)),
      ...(await measureLog(store, path)),
    ])
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

async function openLinks(store: Store, count: number): Promise<string[]> {
  const ask = (index: number) => ({
    place: {team: 'T', channel: 'C', slackThread: String(index)},
    requestId: `r${index}`,
    projectId: 'p',
    startedBy: 'U',
  })
  const links = await Promise.all(
    Array.from({length: count}, (_, index) => store.links.open(ask(index), Date.now())),
  )
  return links.map(({id}) => id)
}

async function measureWrites(store: Store, linkIds: readonly string[]): Promise<Line[]> {
  const endMs = performance.now() + Number(options.seconds) * 1000
  let rows = 0
  const relay = async (linkId: string): Promise<void> => {
    for (let part = 0; performance.now() < endMs; part += 1) {
      const post = {key: `say:${part % 10}:0`, delivery: String(part), draft: undefined}
      await store.posts.intend(linkId, post, Date.now())
      await store.posts.confirm(linkId, {...post, ts: String(part), hash: 'h', final: true})
      await store.links.change(linkId, {cursor: String(part)})
      rows += 3
    }
  }
  const loop = await watchingTheLoop(() => Promise.all(linkIds.map(relay)))
  console.log(`${linkIds.length} relays at once, as fast as they can
${delaysOf(loop)}`)
  return [
    atLeast('rows a second', rows / Number(options.seconds), LEAST_ROWS_A_SECOND),
    atMost('event loop meanwhile, p99', loop.p99Ms, MAX_LOOP_MS, 'ms'),
  ]
}

async function measureLock(store: Store, path: string): Promise<Line[]> {
  const locker = spawn(process.execPath, ['-e', LOCKER, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(locker.stdout, 'data')
  const keys = Array.from({length: 1000}, (_, index) => `k${index}`)
  let acknowledged = 0
  const adding = Promise.all(
    keys.map(async (key) => {
      await store.inbox.add({team: 'T1', key, lane: key, body: '{}'}, Date.now())
      acknowledged += 1
    }),
  )
  const loop = await watchingTheLoop(() => delay(Number(options['lock-seconds']) * 1000))
  const words = await store.check()
  const early = acknowledged
  await stop(locker)
  const goneMs = performance.now()
  await adding
  const tookMs = performance.now() - goneMs
  const rows = await Promise.all(keys.map((key) => store.inbox.byKey(key)))
  const lost = rows.filter((row) => row === undefined).length
  console.log(`locked by another process for ${options['lock-seconds']} s
health          the database ${words ?? 'is well'}
acknowledged    within ${tookMs.toFixed(0)} ms of its end
${delaysOf(loop)}`)
  return [
    never('acknowledged under a lock', early),
    exactly('acknowledged after its end', acknowledged, keys.length),
    never('lost by it', lost),
    exactly('complaints of health under it', words === undefined ? 0 : 1, 1),
    never('complaints of health after it', (await store.check()) === undefined ? 0 : 1),
    atMost('event loop under it, p99', loop.p99Ms, MAX_LOOP_MS, 'ms'),
  ]
}

/** Somebody reads while much is written, and then no more: the log has to be moved into the database. */
async function measureLog(store: Store, path: string): Promise<Line[]> {
  const logBytes = (): number => statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0
  const body = 'x'.repeat(100_000)
  let next = 0
  const addSome = (): Promise<unknown> =>
    Promise.all(
      Array.from({length: 10}, () => {
        const key = `log-${(next += 1)}`
        return store.inbox.add({team: 'T1', key, lane: key, body}, Date.now())
      }),
    )
  const reader = new Database(path, {readonly: true})
  reader.exec('begin; select count(*) from inbox')
  while (logBytes() < Number(options['log-megabytes']) * 1e6) await addSome()
  reader.close()
  const loop = await watchingTheLoop(async () => {
    const endMs = performance.now() + LOG_WITHIN_MS
    while (logBytes() > MAX_LOG_BYTES && performance.now() < endMs) {
      await addSome()
      await delay(50)
    }
  })
  console.log(`a log of ${options['log-megabytes']} MB behind a long read
${delaysOf(loop)}`)
  return [atMost('left of a log behind a long read', logBytes() / 1e6, MAX_LOG_BYTES / 1e6, 'MB')]
}

type Delays = Record<'p50Ms' | 'p90Ms' | 'p99Ms' | 'maxMs', number>

function delaysOf({p50Ms, p90Ms, maxMs}: Delays): string {
  return `event loop      p50 ${p50Ms.toFixed(1)} ms, p90 ${p90Ms.toFixed(1)} ms, worst ${maxMs.toFixed(1)} ms`
}

async function watchingTheLoop(act: () => Promise<unknown>): Promise<Delays> {
  const delays = monitorEventLoopDelay({resolution: 5})
  delays.enable()
  await delay(20) // the first look has nothing to compare with
  await act()
  delays.disable()
  const at = (percentile: number): number => delays.percentile(percentile) / 1e6
  return {p50Ms: at(50), p90Ms: at(90), p99Ms: at(99), maxMs: at(100)}
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
