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
    await measureWrites(store, linkIds)
    await measureLock(store, path)
    await measureLog(store, path)
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

async function measureWrites(store: Store, linkIds: readonly string[]): Promise<void> {
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
rows            ${(rows / Number(options.seconds)).toFixed(0)}/s
event loop      p50 ${loop.p50Ms.toFixed(1)} ms, p90 ${loop.p90Ms.toFixed(1)} ms, p99 ${loop.p99Ms.toFixed(1)} ms, worst ${loop.maxMs.toFixed(1)} ms`)
}

async function measureLock(store: Store, path: string): Promise<void> {
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
acknowledged    ${early} under the lock, ${acknowledged} within ${tookMs.toFixed(0)} ms of its end, ${lost} lost
event loop      p50 ${loop.p50Ms.toFixed(1)} ms, p90 ${loop.p90Ms.toFixed(1)} ms, p99 ${loop.p99Ms.toFixed(1)} ms, worst ${loop.maxMs.toFixed(1)} ms`)
  if (early > 0 || lost > 0 || (await store.check()) !== undefined) process.exitCode = 1
}

/** Somebody reads while much is written, and then no more: the log has to be moved into the database. */
async function measureLog(store: Store, path: string): Promise<void> {
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
    while (logBytes() > 20e6 && performance.now() < endMs) {
      await addSome()
      await delay(50)
    }
  })
  console.log(`a log of ${options['log-megabytes']} MB behind a long read
left            ${(logBytes() / 1e6).toFixed(0)} MB
event loop      p50 ${loop.p50Ms.toFixed(1)} ms, p90 ${loop.p90Ms.toFixed(1)} ms, p99 ${loop.p99Ms.toFixed(1)} ms, worst ${loop.maxMs.toFixed(1)} ms`)
  if (logBytes() > 20e6) process.exitCode = 1
}

async function watchingTheLoop(
  act: () => Promise<unknown>,
): Promise<Record<'p50Ms' | 'p90Ms' | 'p99Ms' | 'maxMs', number>> {
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
