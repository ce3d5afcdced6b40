import {type ChildProcess, spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {createSealer} from '../src/security/seal.ts'
import {Secret} from '../src/security/secret.ts'
import {openToolStore} from '../src/store/tool-store.ts'
import {openStore} from '../src/store/store.ts'
import {createRandom} from '../local/random.ts'
import {fillStore, standOf} from '../test/support/moved-store.ts'
import {onServer, urlOf, whyUnusable} from '../test/support/postgres-server.ts'
import {atMost, endWith, endWithout, exactly, never} from './lines.ts'

/**
 * A store of a million rows is moved from SQLite to PostgreSQL: how long that takes and how much memory, and whether what
 * arrives is what was there. Then the move is killed in the middle again and again: each time all of it has to be there, or
 * nothing, and no bot may start on both.
 */

const {values: options} = parseArgs({
  options: {
    rows: {type: 'string', default: '1000000'},
    kills: {type: 'string', default: '20'},
    seed: {type: 'string', default: '1'},
  },
})
const MAX_MB = 300
/** Of the instants some lie behind the end. */
const BEYOND = 1.02
const TOOL = join(import.meta.dirname, '..', 'src', 'tools', 'migrate-store.ts')
const keyText = randomBytes(32).toString('base64')
const key = {id: 'k1', key: new Secret(keyText)}
await main()

async function main(): Promise<void> {
  const why = await whyUnusable()
  if (why !== undefined) {
    endWithout(`PostgreSQL: ${why}`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'bosun-move-'))
  const name = `bosun_test_${Math.floor(Date.now() / 1000)}_move`
  const path = join(folder, 'bosun.db')
  try {
    await makeStore(path)
    await onServer(`create database ${name}`)
    const before = await standOf(path)
    const whole = run(path, urlOf(name))
    const [code] = (await once(whole.child, 'close')) as [number]
    const after = await standOf(urlOf(name))
    const isEqual = code === 0 && after.digest === before.digest
    const megabytes = whole.peakKb() / 1024
    const back = run(urlOf(name), path)
    const [backCode] = (await once(back.child, 'close')) as [number]
    const isBack = backCode === 0 && (await standOf(path)).digest === before.digest
    const judged = await killAgainAndAgain({path, name, ms: whole.ms(), digest: before.digest})
    const lines: [string, string | number][] = [
      ['rows, tables', `${before.rows}, ${before.tables}`],
      ['size of the file', `${(statSync(path).size / 1e6).toFixed(0)} MB`],
      ['to PostgreSQL', rate(before.rows, whole.ms())],
      ['back to SQLite', rate(before.rows, back.ms())],
      [
        'kills: nothing there, all there',
        `${judged.nothing} (${judged.neither} after the mark), ${judged.all}`,
      ],
    ]
    for (const [what, value] of lines) console.log(`${what.padEnd(36)}${value}`)
    for (const problem of judged.problems) console.log(problem)
    endWith([
      exactly('counts and hashes there, equal', isEqual ? 1 : 0, 1),
      exactly('counts and hashes back, equal', isBack ? 1 : 0, 1),
      atMost('peak memory there', megabytes, MAX_MB, 'MB'),
      atMost('peak memory back', back.peakKb() / 1024, MAX_MB, 'MB'),
      exactly('kills', judged.nothing + judged.all, Number(options.kills)),
      never('kills that left anything else', judged.problems.length),
    ])
  } finally {
    await onServer(`drop database if exists ${name} with (force)`)
    rmSync(folder, {recursive: true, force: true})
  }
}

function rate(rows: number, ms: number): string {
  return `${(ms / 1000).toFixed(1)} s, ${Math.round((rows / ms) * 1000)} rows a second`
}

async function makeStore(path: string): Promise<void> {
  const store = await openStore({path, sealingKeys: [key]})
  await store[Symbol.asyncDispose]()
  fillStore(path, {rows: Number(options.rows), seed: options.seed, sealer: createSealer([key])})
}

interface Running {
  child: ChildProcess
  ms: () => number
  peakKb: () => number
}

function run(from: string, to: string): Running {
  const named = (path: string): string => (path.includes('://') ? path : `sqlite:${path}`)
  const startedMs = performance.now()
  let endedMs: number | undefined
  let peakKb = 0
  // As the npm script does it.
  const args = ['--max-semi-space-size=4', TOOL, named(from), named(to)]
  const child = spawn(process.execPath, args, {
    env: {PATH: process.env['PATH'], BOSUN_KEYS: `k1:${keyText}`},
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    } catch {
      // It has ended.
    }
  }, 50)
  child.once('close', () => {
    clearInterval(look)
    endedMs = performance.now()
  })
  return {child, ms: () => (endedMs ?? performance.now()) - startedMs, peakKb: () => peakKb}
}

interface Judged {
  nothing: number
  /** Of these the source says that it has gone, and the target that nothing has come. */
  neither: number
  all: number
  problems: string[]
}

async function killAgainAndAgain({
  path,
  name,
  ms,
  digest,
}: {
  path: string
  name: string
  ms: number
  digest: string
}): Promise<Judged> {
  const judged: Judged = {nothing: 0, neither: 0, all: 0, problems: []}
  const random = createRandom(Number(options.seed))
  let [from, to] = [path, urlOf(name)]
  for (let kill = 0; kill < Number(options.kills); kill += 1) {
    const afterMs = random() * ms * BEYOND
    const running = run(from, to)
    const ended = once(running.child, 'close')
    await Promise.race([delay(afterMs), ended])
    running.child.kill('SIGKILL')
    await ended
    const problem = await judge({from, to, digest}, judged)
    if (problem !== undefined) {
      judged.problems.push(`after ${afterMs.toFixed(0)} ms: ${problem}`)
      return judged
    }
    // What has come through goes back the next time.
    if ((await startOn(from)) !== undefined && (await startOn(to)) === undefined)
      [from, to] = [to, from]
    process.stderr.write(`${kill + 1} kills\n`)
  }
  const last = run(from, to)
  await once(last.child, 'close')
  if ((await standOf(to)).digest !== digest) judged.problems.push('not finished by a repeat')
  return judged
}

async function judge(
  {from, to, digest}: {from: string; to: string; digest: string},
  judged: Judged,
): Promise<string | undefined> {
  const starts = {from: await startOn(from), to: await startOn(to)}
  if (starts.from === undefined && starts.to === undefined) return 'a bot starts on both'
  if (starts.to === undefined) {
    judged.all += 1
    return (await standOf(to)).digest === digest ? undefined : 'a part is there'
  }
  judged.nothing += 1
  if ((await standOf(from)).digest !== digest) return 'the source has changed'
  if (starts.from === undefined) return undefined
  judged.neither += 1
  const isOfMove = Object.values(starts).every((why) => why?.includes('npm run migrate-store'))
  return isOfMove ? undefined : Object.values(starts).join(' ')
}

/** Why no bot starts there; `undefined` when one does. The server takes a moment to see that somebody was killed. */
async function startOn(path: string): Promise<string | undefined> {
  for (let tries = 0; ; tries += 1) {
    try {
      const store = await openToolStore({path, sealingKeys: [key]})
      await store[Symbol.asyncDispose]()
      return undefined
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (error.name === 'StoreError' || tries > 20) return error.message
      await delay(100)
    }
  }
}
