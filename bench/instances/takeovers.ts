import {setTimeout as delay} from 'node:timers/promises'
import {type Dice, createDice} from '../../local/platform/agent/dice.ts'
import {settle} from './facts.ts'
import {type Figure, figuresOf, tellDetails, told} from './figures.ts'
import {atLeast} from '../lines.ts'
import type {Instance} from './instance.ts'
import {beginLoad} from './load.ts'
import type {PartOptions} from './part.ts'
import {openPosters} from './posters/posters.ts'
import {follow, pickWorking, strike} from './takeover.ts'
import type {World} from './world.ts'

/** Where a call is when its process stops: its intent is committed, its bytes are on their way, or its answer is. */
const MOMENTS = ['before', 'inside', 'after'] as const
type Moment = (typeof MOMENTS)[number]

const WARM_UP_MS = 15_000
const STRUCK_WITHIN_MS = 20_000
/** Longer than anybody may own what he does not care for. */
const FROZEN_MS = [12_000, 25_000] as const
const FOLLOW_MS = 40_000
const STANDING_AFTER_MS = 60_000
const SETTLE_MS = 420_000
/** Beyond that, for what is not a reply. */
const STILL_MS = 60_000

/**
 * Instances stop in the midst of their calls until others have their work, and then go on with those calls. The next one
 * is stopped as soon as that work goes on.
 */
export async function runTakeovers(world: World, options: PartOptions): Promise<Figure[]> {
  const {rounds, seed, threads, everyMs, tell} = options
  const dice = createDice(`${seed} takeovers`)
  const load = await beginLoad(world, {threads, seed, everyMs})
  const posters = await openPosters(world, seed)
  await delay(WARM_UP_MS)
  const struckAt: Record<Moment, number> = {before: 0, inside: 0, after: 0}
  const thawing = new Set<Promise<unknown>>()
  let takeovers = 0
  for (let strikes = 0; takeovers < rounds && strikes < rounds; strikes += 1) {
    const instance = await pickWorking(world, dice)
    const moment = dice.pick(MOMENTS)
    const frozen = await freezeAt(instance, moment, dice)
    if (frozen === undefined) continue
    struckAt[moment] += 1
    const struck = await strike(world, instance)
    const found = await follow(world, struck, {withinMs: FOLLOW_MS, resumedAtMs: () => Infinity})
    const thaws: Promise<unknown> = frozen.thawed.finally(() => thawing.delete(thaws))
    thawing.add(thaws)
    const taken = found.filter(({ownedS, frameS}) => (ownedS ?? frameS) !== undefined).length
    takeovers += taken
    tell(`${instance.name} stopped ${moment} a call: ${taken} taken over, ${takeovers} so far`)
  }
  await Promise.all(thawing)
  await Promise.all([load.end(), posters.end()])
  await delay(STANDING_AFTER_MS)
  const judgement = await settle(world, load.talks, SETTLE_MS)
  tellDetails(judgement)
  return [
    atLeast('takeovers', takeovers, rounds),
    ...MOMENTS.map((moment) => told(`stopped ${moment} a call`, struckAt[moment])),
    // A call that comes late may post a second message; it may not stay.
    ...figuresOf(judgement, ['posts twice']),
    ...(await posters.judge(STILL_MS)),
  ]
}

/** Stops it at the next such moment; answers when it goes on. `undefined`: nothing came. */
async function freezeAt(
  instance: Instance,
  moment: Moment,
  dice: Dice,
): Promise<{thawed: Promise<unknown>} | undefined> {
  const lastsMs = dice.int(...FROZEN_MS)
  const frozen = Promise.withResolvers<undefined>()
  const thawed = Promise.withResolvers<undefined>()
  let isOver = false
  const freeze = (): void => {
    if (isOver) return
    isOver = true
    instance.freeze()
    frozen.resolve(undefined)
    setTimeout(() => {
      instance.thaw()
      thawed.resolve(undefined)
    }, lastsMs)
  }
  if (moment === 'before') instance.databaseGate.atCommitOf('posts', freeze)
  else {
    instance.slackGate.holdNext(moment, async () => {
      freeze()
      if (instance.isFrozen()) await thawed.promise
    })
  }
  const late = delay(STRUCK_WITHIN_MS).then(() => 'late' as const)
  const came = await Promise.race([frozen.promise, late])
  if (came !== 'late') return {thawed: thawed.promise}
  isOver = true
  return undefined
}
