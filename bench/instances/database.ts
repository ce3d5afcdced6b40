import {setTimeout as delay} from 'node:timers/promises'
import {createDice} from '../../local/platform/agent/dice.ts'
import {neverAcknowledged, settle} from './facts.ts'
import {type Figure, figuresOf, tellDetails, told} from './figures.ts'
import {beginLoad} from './load.ts'
import type {PartOptions} from './part.ts'
import type {World} from './world.ts'

const WARM_UP_MS = 15_000
const RESTART_EVERY_MS = 10_000
const CUTS_A_MINUTE = 50
const STEP_MS = 1000
const SETTLE_MS = 420_000

/** PostgreSQL goes down again and again, connections break, and commits are done whose answers never come. */
export async function runDatabase(world: World, options: PartOptions): Promise<Figure[]> {
  const {minutes, seed, threads, everyMs, tell} = options
  const {cluster, instances} = world
  const dice = createDice(`${seed} database`)
  const load = await beginLoad(world, {threads, seed, everyMs})
  await delay(WARM_UP_MS)
  const startMs = Date.now()
  let restarts = 0
  let cutConnections = 0
  let asked = 0
  while (Date.now() - startMs < minutes * 60_000) {
    const sinceMs = Date.now() - startMs
    if (sinceMs >= (restarts + 1) * RESTART_EVERY_MS) {
      restarts += 1
      await cluster.restart()
      tell(`restart ${restarts} of PostgreSQL`)
    }
    cutConnections += await cluster.cutConnections(dice.int(0, 3)).catch(() => 0)
    while (asked < (sinceMs / 60_000) * CUTS_A_MINUTE) {
      asked += 1
      instances[dice.int(0, instances.length - 1)]?.databaseGate.cutCommits(1)
    }
    await delay(STEP_MS)
  }
  await load.end()
  const judgement = await settle(world, load.talks, SETTLE_MS)
  tellDetails(judgement)
  const untaken = neverAcknowledged(world.slack.ledger.deliveries)
  for (const tries of untaken) tell(`never acknowledged: ${JSON.stringify(tries)}`)
  const cuts = instances.reduce((sum, {databaseGate}) => sum + databaseGate.cuts(), 0)
  const endings = instances.reduce((sum, instance) => sum + instance.endings(), 0)
  return [
    told('restarts of PostgreSQL', restarts),
    told('connections cut', cutConnections),
    told('answers to COMMIT cut', cuts),
    told('instances that ended by themselves', endings),
    told('never acknowledged', untaken.length),
    ...figuresOf(judgement, ['calls over the rate']),
    told('settled within', `${Math.round(judgement.settleMs / 1000)} s`),
  ]
}
