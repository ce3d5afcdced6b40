import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import Database from 'better-sqlite3'
import {type Dice, createDice} from '../../local/platform/agent/dice.ts'
import {isWorking} from '../../src/platform/model.ts'
import {takeEvidence} from './evidence.ts'
import {
  type InteractionKind,
  type Interactions,
  chooseInteraction,
  createInteractions,
} from './deeds.ts'
import {chooseWay, die, wishFile} from './kill-ways.ts'
import {KILLING_WORLD, type Tale, plan, sightOfTale, tellTales} from './tales.ts'
import {type Talk, type TalksReport, judgeTalks, settleTalks} from './talks.ts'
import {verdict} from './verdict.ts'
import {JANE, KIM, type World, startWorld} from './world.ts'

interface KillOptions {
  seed: string
  kills: number
  /** How many are at work at each kill. */
  threads: number
  /** Of the bot: `SLACK_WRITER`. */
  writer: string
  tell?: (line: string) => void
}

interface KillReport extends TalksReport {
  threads: number
  kills: number
  /** Live threads with an open intent or unconfirmed text, summed over the kills. */
  points: number
  /** What people did besides writing. */
  interactions: ReadonlyMap<InteractionKind, number>
  /** How often the bot died of what. */
  deaths: Map<string, number>
  /** Places that look otherwise than those in which nothing went wrong. */
  different: string[]
  seconds: number
}

const TALES = 8

/** Kills the bot again and again in the midst of the work of many threads; in the end all has to stand as if it had not. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const {kills, threads, writer, tell = () => undefined} = options
  const startMs = performance.now()
  const dice = createDice(options.seed)
  const tales = await tellTales(dice, TALES)
  tell(`${TALES} tales are told undisturbed`)
  await using world = await startWorld({...KILLING_WORLD, settings: {SLACK_WRITER: writer}})
  for (const {first, more} of tales) plan(world, [first, more], 10_000)
  const talks: Talk[] = []
  const interactions = createInteractions(world, {
    dice: createDice(`${options.seed} deeds`),
    isClosed: () => false,
  })
  const deaths = new Map<string, number>()
  let points = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const way = chooseWay(dice, kill)
    rmSync(wishFile(world), {force: true})
    if (way.kind === 'commit' && way.isFromStart) {
      writeFileSync(wishFile(world), JSON.stringify(way.request))
      await world.startBot().catch(() => undefined) // it may die before it is ready
    } else if (!world.bot.isRunning()) await world.startBot()
    if (world.bot.isRunning()) {
      await fillUp(world, {talks, threads, tales, dice})
      await delay(dice.int(0, 1200))
    }
    const died = await die(world, way, () => disturb(world, {talks, tales, dice, interactions}))
    deaths.set(died, (deaths.get(died) ?? 0) + 1)
    const struck = countPoints(world, talks)
    points += struck
    tell(`kill ${kill + 1}: ${died}; ${struck} kill points, ${talks.length} threads so far`)
  }
  await world.startBot()
  beginInteractions(world, {talks, dice, interactions})
  await interactions.ended()
  for (const talk of talks) {
    if (talk.added.length === 0 && !isLively(talk)) await goOn(world, talk, {tales, dice})
  }
  const unsettled = await settleTalks(world, talks, tell)
  const calm = talks.filter((talk) => !isLively(talk))
  const compare = (): string[] => {
    const evidence = takeEvidence(world)
    return calm.flatMap(({place, mark}) => {
      const {sight = []} = tales.find(({first}) => first.mark === mark) ?? {}
      const seen = sightOfTale(evidence.ours(place), world.slack.botUserId)
      const at = [...sight, ''].findIndex((it, index) => it !== (seen[index] ?? ''))
      const isSame = at === -1 && seen.length === sight.length
      return isSame ? [] : JSON.stringify([mark, place, {told: sight[at], seen: seen[at]}])
    })
  }
  const different = await untilAlike(compare)
  return {
    ...judgeTalks(world, talks, {removed: [], unsettled}),
    ...{kills, threads: talks.length, points, deaths, interactions: interactions.done()},
    different,
    seconds: (performance.now() - startMs) / 1000,
  }
}

/** A card that counts the last steps is edited behind the words that came after them. */
const ALIKE_WITHIN_MS = 20_000

async function untilAlike(compare: () => string[]): Promise<string[]> {
  const endMs = Date.now() + ALIKE_WITHIN_MS
  for (;;) {
    const different = compare()
    if (different.length === 0 || Date.now() > endMs) return different
    await delay(500)
  }
}

interface Cast {
  talks: Talk[]
  tales: readonly Tale[]
  dice: Dice
}

const FILLS_WITHIN_MS = 8000

/** So many threads are at work again, but for those whose mention has yet to be delivered once more. */
async function fillUp(world: World, {talks, threads, tales, dice}: Cast & {threads: number}) {
  const statuses = (): (string | undefined)[] => {
    const evidence = takeEvidence(world)
    return talks.map(({place}) => evidence.threadIn(place)?.status)
  }
  const open = statuses().filter((status) => status === undefined || isWorking(status))
  for (let count = open.length; count < threads; count += 1) {
    await begin(world, {talks, tales, dice})
  }
  const endMs = Date.now() + FILLS_WITHIN_MS
  while (statuses().includes(undefined) && Date.now() < endMs) await delay(100)
}

async function begin(world: World, {talks, tales, dice}: Cast): Promise<Talk | undefined> {
  const tale = tales[dice.int(0, tales.length - 1)]
  if (tale === undefined) return undefined
  const place = await world.say(`@Bosun please tell ${tale.first.mark}`)
  const talk: Talk = {place, mark: tale.first.mark, added: []}
  talks.push(talk)
  return talk
}

/** So many talks are begun for them at each kill. */
const DEEDS = 2

/** Somebody does more in it than write: it looks otherwise than it was told. */
function isLively({takenBack}: Talk): boolean {
  return takenBack !== undefined
}

/** People go on while the bot is about to die: one more mention, answers to threads at work, and other interactions. */
async function disturb(
  world: World,
  {talks, tales, dice, interactions}: Cast & {interactions: Interactions},
): Promise<void> {
  const evidence = takeEvidence(world)
  const open = talks.filter(
    (talk) =>
      talk.added.length === 0 && !isLively(talk) && evidence.threadIn(talk.place) !== undefined,
  )
  beginInteractions(world, {talks, dice, interactions})
  await begin(world, {talks, tales, dice})
  for (let times = 0; times < DEEDS; times += 1) {
    const talk = await begin(world, {talks, tales, dice})
    if (talk !== undefined) talk.takenBack = []
  }
  for (let times = 0; times < 3; times += 1) {
    const talk = open.splice(dice.int(0, Math.max(0, open.length - 1)), 1)[0]
    if (talk !== undefined) await goOn(world, talk, {tales, dice})
  }
}

/** In those talks that were begun for it, once the agent is at work. */
function beginInteractions(
  world: World,
  {talks, dice, interactions}: Omit<Cast, 'tales'> & {interactions: Interactions},
): void {
  const evidence = takeEvidence(world)
  for (const talk of talks) {
    const isDue =
      isLively(talk) && !interactions.has(talk) && evidence.threadIn(talk.place) !== undefined
    if (isDue) interactions.begin(talk, chooseInteraction(dice, true))
  }
}

async function goOn(world: World, talk: Talk, {tales, dice}: Omit<Cast, 'talks'>): Promise<void> {
  const tale = tales.find(({first}) => first.mark === talk.mark)
  if (tale === undefined) return
  talk.added.push(tale.more.mark)
  await world.reply(talk.place, `and then ${tale.more.mark}`, dice.pick([JANE, KIM] as const))
}

/**
 * A live thread is a kill point when the dead bot's tables hold an intent or a preview of it, or when its transcript
 * says more than stands in its place.
 */
function countPoints(world: World, talks: readonly Talk[]): number {
  const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
  const open = new Set(
    database
      .prepare<[], string>(
        `select channel || ' ' || slack_thread from links where state = 'starting' or exists (
           select 1 from posts where link_id = links.id
             and (posts.state = 'intended' or (final = 0 and delivery is not null)))`,
      )
      .pluck()
      .all(),
  )
  database.close()
  const evidence = takeEvidence(world)
  return talks.filter(({place}) => {
    const isLive = isWorking(evidence.threadIn(place)?.status ?? 'working')
    if (!isLive) return false
    return open.has(`${place.channel} ${place.ts}`) || verdict(evidence, place).lost.length > 0
  }).length
}
