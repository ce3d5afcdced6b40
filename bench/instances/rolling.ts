import {cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {settle} from './facts.ts'
import {type Figure, figuresOf, quantile, tellDetails, told} from './figures.ts'
import {atLeast, atMost} from '../lines.ts'
import {beginLoad} from './load.ts'
import type {PartOptions} from './part.ts'
import {follow, strike} from './takeover.ts'
import type {World} from './world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const WARM_UP_MS = 15_000
const JOINED_WITHIN_MS = 5000
const HANDED_OVER_S = 3
const STOPPED_S = 10
const FOLLOW_MS = 60_000
const SETTLE_MS = 420_000

/** Instances come, go one after the other, and work beside those of the next version. */
export async function runRolling(world: World, options: PartOptions): Promise<Figure[]> {
  const {rounds, seed, threads, everyMs, minutes, tell} = options
  const {instances, probes} = world
  const isAlone = instances.length === 1
  const load = await beginLoad(world, {threads, seed, everyMs})
  await delay(WARM_UP_MS)
  const joined = isAlone ? [told('a joining instance', 'needs two')] : await joinOne(world)
  const stops: number[] = []
  const handOvers: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const instance = instances[round % instances.length]
    if (instance === undefined) break
    const struck = await strike(world, instance)
    const following = follow(world, struck, {withinMs: FOLLOW_MS, resumedAtMs: () => Infinity})
    stops.push((await instance.stop()) / 1000)
    await instance.start()
    const found = await following
    handOvers.push(...found.map(({ownedS, frameS}) => ownedS ?? frameS ?? Infinity))
    tell(`${instance.name} was stopped in ${stops.at(-1)?.toFixed(1)} s and started again`)
    await delay(2000)
  }
  using folder = isAlone ? undefined : makeNextVersion()
  if (folder !== undefined) {
    const next = await world.addInstance(join(folder.path, 'src', 'main.ts'))
    await next.start()
    tell('an instance of the next version works beside the others')
    await delay(minutes * 60_000)
  }
  await load.end()
  const judgement = await settle(world, load.talks, SETTLE_MS)
  tellDetails(judgement)
  const isKept = probes.claims.length > 0
  const worst = quantile(handOvers, 1)
  return [
    ...joined,
    atMost('SIGTERM until the end of the process', quantile(stops, 1), STOPPED_S, 's'),
    told('workspaces handed over', handOvers.length),
    atMost(
      isKept ? 'handed over within' : 'handed over within (by frames: no claims)',
      worst,
      HANDED_OVER_S,
      's',
    ),
    told('minutes beside the next version', isAlone ? 'needs two' : minutes),
    ...figuresOf(judgement, ['calls over the rate']),
  ]
}

/** A share is what all names, workspaces and duties, make by the number of owners, rounded down. */
async function joinOne(world: World): Promise<Figure[]> {
  const {probes, instances} = world
  const before = new Set([...probes.current().values()].map(({owner}) => owner))
  const instance = await world.addInstance()
  await instance.start()
  const readyMs = Date.now()
  const least = Math.floor(probes.current().size / instances.length)
  const his = (): number =>
    [...probes.current().values()].filter(({owner}) => !before.has(owner)).length
  while (his() < least && Date.now() - readyMs < JOINED_WITHIN_MS) await delay(50)
  return [
    atLeast(
      `workspaces and duties of a new instance within ${JOINED_WITHIN_MS / 1000} s`,
      his(),
      least,
    ),
    told('after', `${((Date.now() - readyMs) / 1000).toFixed(1)} s`),
  ]
}

/** This version with one migration more, which only adds. */
function makeNextVersion(): Disposable & {path: string} {
  const path = mkdtempSync(join(tmpdir(), 'bosun-next-'))
  for (const name of ['src', 'migrations', 'package.json', 'manifest.yml']) {
    cpSync(join(ROOT, name), join(path, name), {recursive: true})
  }
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  const last = readdirSync(join(path, 'migrations'))
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1)
  const number = String(Number(last?.slice(0, 4)) + 1).padStart(4, '0')
  writeFileSync(
    join(path, 'migrations', `${number}-next.ts`),
    `import type {Kysely} from 'kysely'
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('next_version').addColumn('id', 'text').execute()
}
`,
  )
  return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true})}
}
