import {setTimeout as delay} from 'node:timers/promises'
import {createDice} from '../../local/platform/agent/dice.ts'
import {settle} from './facts.ts'
import {type Figure, figuresOf, tellDetails, told} from './figures.ts'
import {beginLoad} from './load.ts'
import type {PartOptions} from './part.ts'
import {type Takeover, follow, strike, takeoverFigures} from './takeover.ts'
import type {World} from './world.ts'

const WARM_UP_MS = 15_000
const FOLLOW_MS = 90_000
const SETTLE_MS = 420_000

/** So many instances are killed and so many stopped for a while, in the midst of the work; nothing may be lost by it. */
export async function runKills(world: World, options: PartOptions): Promise<Figure[]> {
  const {rounds, seed, threads, everyMs, stopS, tell} = options
  const dice = createDice(`${seed} kills`)
  const load = await beginLoad(world, {threads, seed, everyMs})
  await delay(WARM_UP_MS)
  const found: Record<'SIGKILL' | 'SIGSTOP', Takeover[]> = {SIGKILL: [], SIGSTOP: []}
  for (let round = 0; round < 2 * rounds; round += 1) {
    const index = dice.int(0, world.instances.length - 1)
    const fault = round % 2 === 0 ? 'SIGKILL' : 'SIGSTOP'
    const lastsS = dice.int(...stopS)
    const takeovers = await (fault === 'SIGKILL'
      ? killOne(world, index, dice.int(0, 3000))
      : stopOne(world, index, lastsS * 1000))
    found[fault].push(...takeovers)
    const what = fault === 'SIGSTOP' ? `${fault} for ${lastsS} s` : fault
    const each = takeovers.map(({team, ownedS, frameS}) => `${team} ${inS(ownedS)}/${inS(frameS)}`)
    tell(`${what} of instance ${index + 1}, owned again / first frame: ${each.join(', ')}`)
    await delay(dice.int(500, 4000))
  }
  await load.end()
  const judgement = await settle(world, load.talks, SETTLE_MS)
  tellDetails(judgement)
  const isKept = world.probes.claims.length > 0
  return [
    ...takeoverFigures('SIGKILL', found.SIGKILL, isKept),
    ...takeoverFigures('SIGSTOP', found.SIGSTOP, isKept),
    ...figuresOf(judgement, ['calls over the rate']),
    told('settled within', `${Math.round(judgement.settleMs / 1000)} s`),
  ]
}

const inS = (seconds: number | undefined): string => seconds?.toFixed(1) ?? 'never'

async function killOne(world: World, index: number, downMs: number): Promise<Takeover[]> {
  const instance = world.instances[index]
  const struck = await strike(world, index)
  await instance?.kill()
  const restarted = delay(downMs).then(() => instance?.start())
  const found = await follow(world, struck, {withinMs: FOLLOW_MS, resumedAtMs: () => Infinity})
  await restarted
  return found
}

/** Its own frames count once it goes on, if nobody took its work meanwhile. */
async function stopOne(world: World, index: number, lastsMs: number): Promise<Takeover[]> {
  const instance = world.instances[index]
  const struck = await strike(world, index)
  instance?.freeze()
  let resumedAtMs = Infinity
  const resumed = delay(lastsMs).then(() => {
    resumedAtMs = Date.now()
    instance?.thaw()
  })
  const found = await follow(world, struck, {withinMs: FOLLOW_MS, resumedAtMs: () => resumedAtMs})
  await resumed
  return found
}
