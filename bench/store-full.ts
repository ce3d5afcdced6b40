import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import Database from 'better-sqlite3'
import {openStore} from '../src/store/store.ts'
import {until} from '../test/support/until.ts'
import {atLeast, endWith, endWithout, exactly, never} from './lines.ts'

/**
 * A disk of 8 MB that is filled to the last byte and emptied again, round after round, while rows arrive: what is
 * acknowledged on the full one, whether health says so, whether it goes on by itself, whether a row is lost.
 */

const {values: options} = parseArgs({options: {rounds: {type: 'string', default: '20'}}})
/** As the intake waits, but shorter: so that many are refused. */
const PATIENCE_MS = 250
const ADD_EVERY_MS = 5
const FULL_MS = 1000
await main()

async function main(): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), 'bosun-full-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', disk])
  if (mounted.status !== 0) {
    rmdirSync(disk)
    endWithout('the right to mount a small disk: run it as root')
    return
  }
  try {
    await fillAndEmpty(disk)
  } finally {
    spawnSync('umount', [disk])
    rmdirSync(disk)
  }
}

async function fillAndEmpty(disk: string): Promise<void> {
  const path = join(disk, 'bosun.db')
  const store = await openStore({path, sealingKeys: []})
  const acknowledged = new Set<string>()
  const refused = new Set<string>()
  const stop = new AbortController()
  const arriving = keepAdding(store, {acknowledged, refused, signal: stop.signal})
  let told = 0
  let onFull = 0
  for (let round = 0; round < Number(options.rounds); round += 1) {
    await until('rows are written', goesOn(acknowledged))
    fill(disk)
    await until('the disk is full', goesOn(refused))
    const before = acknowledged.size
    await delay(FULL_MS)
    onFull += acknowledged.size - before
    if ((await store.check())?.includes('the disk is full')) told += 1
    rmSync(join(disk, 'filler'))
  }
  await until('rows are written again', goesOn(acknowledged))
  stop.abort()
  await arriving
  const words = await store.check()
  await store[Symbol.asyncDispose]()
  const problems = problemsOf(path, acknowledged, refused)
  console.log(`${options.rounds} times full; at the end the database ${words ?? 'is well'}
acknowledged    ${acknowledged.size}, of which ${onFull} while the disk was full`)
  for (const problem of problems.slice(0, 20)) console.log(problem)
  endWith([
    exactly('times that health said the disk is full', told, Number(options.rounds)),
    never('complaints of health in the end', words === undefined ? 0 : 1),
    atLeast('refused', refused.size, 1),
    never('lost, doubled, written though refused, damaged', problems.length),
  ])
}

async function keepAdding(
  {inbox}: Awaited<ReturnType<typeof openStore>>,
  {
    acknowledged,
    refused,
    signal,
  }: Record<'acknowledged' | 'refused', Set<string>> & {signal: AbortSignal},
): Promise<void> {
  const running = new Set<Promise<void>>()
  for (let number = 0; !signal.aborted; number += 1) {
    const key = String(number)
    const row = {team: 'T1', key, lane: key, body: 'x'.repeat(500)}
    const adding = inbox.add(row, 0, AbortSignal.timeout(PATIENCE_MS)).then(
      () => void acknowledged.add(key),
      () => void refused.add(key),
    )
    running.add(adding)
    void adding.finally(() => running.delete(adding))
    await delay(ADD_EVERY_MS)
  }
  await Promise.all(running)
}

/** Takes what is free, to the last byte. */
function fill(disk: string): void {
  const {bavail, bsize} = statfsSync(disk)
  try {
    writeFileSync(join(disk, 'filler'), Buffer.alloc((bavail + 1) * bsize))
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
    if (!isFull) throw error
  }
}

/** True once a few more have come. */
function goesOn(keys: ReadonlySet<string>): () => boolean {
  const before = keys.size
  return () => keys.size > before + 10
}

function problemsOf(
  path: string,
  acknowledged: ReadonlySet<string>,
  refused: ReadonlySet<string>,
): string[] {
  const db = new Database(path)
  try {
    const written = new Set(db.prepare<[], string>('select key from inbox').pluck().all())
    const integrity = String(db.pragma('integrity_check(1)', {simple: true}))
    return [
      ...[...acknowledged].filter((key) => !written.has(key)).map((key) => `${key} is lost`),
      ...[...refused].filter((key) => written.has(key)).map((key) => `${key} was refused`),
      ...(integrity === 'ok' ? [] : [integrity]),
    ]
  } finally {
    db.close()
  }
}
