import {setTimeout as delay} from 'node:timers/promises'
import {createDice} from '../../local/platform/agent/dice.ts'
import {settle} from './facts.ts'
import {type Figure, figuresOf, tellDetails, told} from './figures.ts'
import type {Instance} from './instance.ts'
import {beginLoad} from './load.ts'
import type {PartOptions} from './part.ts'
import {openPosters} from './posters/posters.ts'
import {type Takeover, follow, pickWorking, strike, takeoverFigures} from './takeover.ts'
import type {World} from './world.ts'

const WARM_UP_MS = 15_000
const FOLLOW_MS = 90_000
const SETTLE_MS = 420_000
/** Beyond that, for what is not a reply. */
const STILL_MS = 60_000

/**
 * So many instances are killed and so many stopped for a while, in the midst of the work; nothing may be lost by it. The
 * next is struck as soon as the work of the one before goes on, also while that still stands: one always lives.
 */
export async function runKills(world: World, options: PartOptions): Promise<Figure[]> {
  const {rounds, seed, threads, everyMs, stopS, tell} = options
  const dice = createDice(`${seed} kills`)
  const load = await beginLoad(world, {threads, seed, everyMs})
  const posters = await openPosters(world, seed)
  await delay(WARM_UP_MS)
  const found: Record<'SIGKILL' | 'SIGSTOP', Takeover[]> = {SIGKILL: [], SIGSTOP: []}
  const back = new Set<Promise<unknown>>()
  for (let round = 0; round < 2 * rounds; round += 1) {
    const instance = await pickWorking(world, dice)
    const fault = round % 2 === 0 ? 'SIGKILL' : 'SIGSTOP'
    const lastsS = dice.int(...stopS)
    const struck = await (fault === 'SIGKILL'
      ? killOne(world, instance, dice.int(0, 3000))
      : stopOne(world, instance, lastsS * 1000))
    const comes: Promise<unknown> = struck.back.finally(() => back.delete(comes))
    back.add(comes)
    found[fault].push(...struck.found)
    const what = fault === 'SIGSTOP' ? `${fault} for ${lastsS} s` : fault
    const each = struck.found.map(({team, ownedS, frameS, openS}) =>
      [`${team} ${inS(ownedS)}`, inS(frameS), ...openS.map(inS)].join('/'),
    )
    tell(`${what} of ${instance.name}, owned again/first frame/open intents: ${each.join(', ')}`)
    await delay(dice.int(500, 2000))
  }
  await Promise.all(back)
  await Promise.all([load.end(), posters.end()])
  const judgement = await settle(world, load.talks, SETTLE_MS)
  tellDetails(judgement)
  const isKept = world.probes.claims.length > 0
  return [
    ...takeoverFigures('SIGKILL', found.SIGKILL, isKept),
    ...takeoverFigures('SIGSTOP', found.SIGSTOP, isKept),
    ...figuresOf(judgement, ['calls over the rate']),
    ...(await posters.judge(STILL_MS)),
    told('settled within', `${Math.round(judgement.settleMs / 1000)} s`),
  ]
}

const inS = (seconds: number | undefined): string => seconds?.toFixed(1) ?? 'never'

interface Struck {
  found: Takeover[]
  /** The instance works again. */
  back: Promise<unknown>
}

async function killOne(world: World, instance: Instance, downMs: number): Promise<Struck> {
  const struck = await strike(world, instance)
  await instance.kill()
  const back = delay(downMs).then(() => instance.start())
  const found = await follow(world, struck, {withinMs: FOLLOW_MS, resumedAtMs: () => Infinity})
  return {found, back}
}

/** Its own frames count once it goes on, if nobody took its work meanwhile. */
async function stopOne(world: World, instance: Instance, lastsMs: number): Promise<Struck> {
  const struck = await strike(world, instance)
  instance.freeze()
  let resumedAtMs = Infinity
  const back = delay(lastsMs).then(() => {
    resumedAtMs = Date.now()
    instance.thaw()
  })
  const found = await follow(world, struck, {withinMs: FOLLOW_MS, resumedAtMs: () => resumedAtMs})
  return {found, back}
}
