import {readFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import {type Dice, createDice} from '../../local/platform/agent/dice.ts'
import {createPiece} from './readable.ts'
import {
  type InteractionKind,
  type Interactions,
  chooseInteraction,
  createInteractions,
} from './deeds.ts'
import {tellStory} from './stories.ts'
import {type Damage, createDamage} from './damage.ts'
import {type Removal, type Talk, type TalksReport, judgeTalks, settleTalks} from './talks.ts'
import {isReply, textOf} from './verdict.ts'
import {JANE, KIM, type World} from './world.ts'

interface StormOptions {
  seed: string
  /** Tells the talks of several storms apart. */
  name?: string
  threads: number
  /** How many faults have to strike at least. */
  faults: number
  faultsPerSecond: number
  /** Leaves out what the bot waits for over 5 s by nature. */
  isQuick: boolean
  tell?: (line: string) => void
}

/** What became of it, by the ledgers alone. All counts but `struck` should be 0. */
export interface StormReport extends TalksReport {
  threads: number
  talks: Talk[]
  removed: Removal[]
  followUps: number
  /** What people did besides. */
  interactions: ReadonlyMap<InteractionKind, number>
  struck: Map<string, number>
  stormMs: number
  settledMs: number
  peakRssMb: number
}

const THREADS_PER_CHANNEL = 40
const FIRST_DEED_MS = 4000

interface Act {
  atMs: number
  channel: string
  /** What it is an answer to, if anything. */
  talk?: Talk
  run: () => Promise<void>
}

/** Threads begin, people answer, and all the while things go wrong; then it is calm, and everything has to stand. */
export async function runStorm(world: World, options: StormOptions): Promise<StormReport> {
  const {threads, faults, faultsPerSecond, name = 'story', tell = () => undefined} = options
  const dice = createDice(options.seed)
  // Hours of a workspace's life pass in minutes here.
  world.slack.faults.eventsPerHour = Infinity
  const lengthMs = (faults / faultsPerSecond) * 1000
  const talks: Talk[] = []
  const removed: Removal[] = []
  const channels = await openChannels(world, name, Math.ceil(threads / THREADS_PER_CHANNEL))
  const damage = createDamage(world, {dice, isQuick: options.isQuick, channels})
  const interactions = createInteractions(world, {
    dice: createDice(`${options.seed} deeds`),
    isClosed: (channel) => damage.isClosed(channel),
  })
  const acts = planTalks(world, {name, dice, threads, lengthMs, channels, talks, interactions})
  const startMs = Date.now()
  let peakRssMb = 0
  let toldMs = startMs
  while (damage.count() < faults || acts.length > 0) {
    const nowMs = Date.now() - startMs
    if (nowMs > lengthMs * 3 + 60_000) break
    for (const act of takeDue(world, acts, nowMs, damage)) await act.run()
    await damage.strike(Math.min(faults * 3, (nowMs / 1000) * faultsPerSecond * 1.1))
    if (dice.int(1, 100) === 1) await removeDraft(world, {dice, talks, removed, damage})
    peakRssMb = Math.max(peakRssMb, rssMb(world))
    if (Date.now() - toldMs > 15_000) {
      toldMs = Date.now()
      tell(`${Math.round(nowMs / 1000)} s: ${talks.length} threads, ${damage.count()} faults`)
    }
    await delay(25)
  }
  const stormMs = Date.now() - startMs
  await damage.calm()
  tell(`calm after ${Math.round(stormMs / 1000)} s`)
  await interactions.ended()
  const unsettled = await settleTalks(world, talks, tell)
  peakRssMb = Math.max(peakRssMb, rssMb(world))
  return {
    ...judgeTalks(world, talks, {removed, unsettled}),
    followUps: talks.reduce((sum, {added}) => sum + added.length, 0),
    threads: talks.length,
    ...{talks, removed, interactions: interactions.done()},
    struck: damage.struck(),
    stormMs,
    settledMs: Date.now() - startMs - stormMs,
    peakRssMb,
  }
}

/** Nobody writes in a channel that is closed, or where nothing has come of the mention yet: they do it later. */
function takeDue(world: World, acts: Act[], nowMs: number, damage: Damage): Act[] {
  const due = acts.filter(
    ({atMs, channel, talk}) =>
      atMs <= nowMs && !damage.isClosed(channel) && (talk === undefined || isBegun(world, talk)),
  )
  for (const act of due) acts.splice(acts.indexOf(act), 1)
  return due
}

/** What is said or done before the mention has arrived is taken for talk between people. */
function isBegun(world: World, {place}: Talk): boolean {
  return world.threadIn(place) !== undefined || world.ours(place).length > 0
}

async function openChannels({slack}: World, name: string, count: number): Promise<string[]> {
  const memberIds = [JANE, KIM, slack.botUserId]
  const channels = await Promise.all(
    Array.from({length: count}, (_, index) =>
      slack.people.createChannel({name: `${name}-${index}`, memberIds}),
    ),
  )
  return channels.map(({id}) => id)
}

/** Who says what, where and when. */
function planTalks(
  world: World,
  plan: {
    name: string
    dice: Dice
    threads: number
    lengthMs: number
    channels: string[]
    talks: Talk[]
    interactions: Interactions
  },
): Act[] {
  const {dice, threads, lengthMs, channels, talks, interactions} = plan
  const acts: Act[] = []
  const startMs = Date.now()
  for (let index = 0; index < threads; index += 1) {
    const name = `${plan.name}-${index}`
    const rules = {turns: [2, 6] as const, longPercent: 4}
    const story = tellStory(dice, {name, ...rules})
    const channel = channels[index % channels.length] ?? ''
    const as = dice.pick([JANE, KIM] as const)
    const more = Array.from({length: dice.pick([0, 0, 1, 1, 2] as const)}, (_, at) =>
      tellStory(dice, {name: `${name}-more-${at}`, turns: [1, 2], longPercent: 2}),
    )
    const atMs = dice.int(0, Math.floor(lengthMs * 0.7))
    const interaction =
      dice.int(1, 2) === 1 ? chooseInteraction(dice, more.length === 0) : undefined
    const begin = async (): Promise<void> => {
      for (const {mark, steps} of [story, ...more]) {
        world.platform.control.planScript({when: {text: mark}, steps})
      }
      const place = await world.say(`@Bosun please tell ${story.mark}`, {channel, as})
      const talk: Talk = {place, mark: story.mark, added: [], ...(interaction && {takenBack: []})}
      talks.push(talk)
      // A channel may have been closed when it was due.
      const lateMs = Math.max(0, Date.now() - startMs - atMs)
      for (const {mark} of more)
        acts.push(followUp(world, talk, mark, lengthMs, dice, atMs + lateMs))
      if (interaction !== undefined) {
        const dueMs = atMs + lateMs + FIRST_DEED_MS + dice.int(0, FIRST_DEED_MS)
        const run = async (): Promise<void> => interactions.begin(talk, interaction)
        acts.push({atMs: dueMs, channel, talk, run})
      }
    }
    acts.push({atMs, channel, run: begin})
  }
  return acts
}

function followUp(
  world: World,
  talk: Talk,
  mark: string,
  lengthMs: number,
  dice: Dice,
  beginMs: number,
): Act {
  const run = async (): Promise<void> => {
    talk.added.push(mark)
    await world.reply(talk.place, `and then ${mark}`, dice.pick([JANE, KIM] as const))
  }
  const atMs = beginMs + 4000 + dice.int(0, Math.floor(lengthMs * 0.25))
  return {atMs, channel: talk.place.channel, talk, run}
}

/** A person deletes a reply that is being written: the only message of it, and the newest in its place. */
async function removeDraft(
  world: World,
  {
    dice,
    talks,
    removed,
    damage,
  }: {dice: Dice; talks: readonly Talk[]; removed: Removal[]; damage: Damage},
): Promise<void> {
  const talk = talks[dice.int(Math.max(0, talks.length - 60), Math.max(0, talks.length - 1))]
  if (talk === undefined || talk.added.length > 0 || talk.takenBack !== undefined) return
  const {place} = talk
  if (damage.isClosed(place.channel)) return
  const message = world.ours(place).at(-1)
  if (message === undefined || !isReply(message) || message.text.length > 2000) return
  const text = textOf(message)
  const isDone = world
    .transcriptIn(place)
    .some((entry) =>
      createPiece(entry.text).read(0, 'outside').startsWith(createPiece(text).read(0, 'outside')),
    )
  const isFirstPart = /begins: \d+\./.test(text)
  if (isDone || !isFirstPart || /never finished/.test(text)) return
  removed.push({place, text})
  await world.slack.people.remove({as: JANE, channel: place.channel, ts: message.ts})
  damage.note('people: a reply deleted while it is written')
}

function rssMb({bot}: World): number {
  const pid = bot.pid()
  if (pid === undefined) return 0
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kb ?? 0) / 1024
  } catch {
    return 0 // it has just ended, or this is no Linux
  }
}
