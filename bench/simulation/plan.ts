import {type Lottery, createLottery} from './engine/lottery.ts'
import {ALL_FAULTS, type FaultKind, type FaultPlan, drawFault} from './fault-plans.ts'

/** What people do and what goes wrong in one simulated world. Each entry stands for itself, so that any may be left out. */
export interface Plan {
  seed: string
  delivery: 'socket' | 'http'
  /** So many with one database; alone with its own where nothing is said. */
  instances?: 1 | 2
  writer: 'auto' | 'edit' | 'stream'
  /** Multiplies Slack's rates. */
  rateScale: number
  talks: readonly TalkPlan[]
  faults: readonly FaultPlan[]
}

/** A conversation of people with an agent. */
export interface TalkPlan {
  /** Stands in everything that is said in it. */
  name: string
  atMs: number
  /** How many replies its agent gives to the task. */
  turns: number
  /** How the work stands after them. */
  rest: 'idle' | 'pending_user' | 'ready_for_review' | 'error'
  /** When people add something, counted from the beginning. */
  addedAfterMs: readonly number[]
  /** Something that people do besides, drawn by this seed. */
  deed?: {afterMs: number; seed: string}
  /** The work is put away in the end: on its card, or past Slack; before it has come to rest, too. */
  archive?: {afterMs: number; from: 'card' | 'elsewhere'; when: 'at rest' | 'at any time'}
}

type Range = readonly [least: number, most: number]

/** Everything goes wrong within this time; then it is calm. */
export const STORM_MS = 180_000
const TALKS: Range = [10, 24]
const FAULTS: Range = [10, 60]
const SHORT: Range = [3, 5]
const RESTS = ['idle', 'idle', 'idle', 'pending_user', 'ready_for_review', 'error'] as const

interface PlanOptions {
  /** What may go wrong. */
  kinds?: readonly FaultKind[]
  /** A few conversations and faults. */
  isShort?: boolean
  /** In every world, instead of one here and two there. */
  instances?: 1 | 2 | undefined
}

export function drawPlan(
  seed: string,
  {kinds = ALL_FAULTS, isShort = false, instances}: PlanOptions = {},
): Plan {
  const lottery = createLottery(seed)
  const drawn = createLottery(`${seed} instances`).percent(SHARED_PERCENT) ? 2 : 1
  const isShared = (instances ?? drawn) === 2
  const countOf = (usual: Range): number => lottery.int(...(isShort ? SHORT : usual))
  const delivery = lottery.pick(['socket', 'http'] as const)
  const writer = lottery.pick(['auto', 'edit', 'stream'] as const)
  const rateScale = lottery.pick([1, 1, 2, 4])
  const mix = {deeds: lottery.pick(PERCENTS), archives: lottery.pick(PERCENTS)}
  const talks = Array.from({length: countOf(TALKS)}, (_, at) =>
    drawTalk(lottery.fork(`talk ${at}`), `s${seed}-t${at}`, mix),
  )
  // A few kinds at a time: what needs several of one comes about more often than if all were mixed.
  const possible = isShared ? kinds : kinds.filter((kind) => kind !== 'isolate')
  const some = possible.filter(() => lottery.percent(30))
  const chosen = some.length === 0 ? possible : some
  const count = chosen.length === 0 ? 0 : countOf(FAULTS)
  const faults = Array.from({length: count}, (_, at) =>
    drawFault(lottery.fork(`fault ${at}`), {kinds: chosen, delivery, withinMs: STORM_MS}),
  ).toSorted((one, other) => one.atMs - other.atMs)
  return {seed, delivery, ...(isShared && {instances: 2}), writer, rateScale, talks, faults}
}

/** How many of a hundred worlds have two instances. */
const SHARED_PERCENT = 40

/** How many of a hundred conversations have something in them. */
const PERCENTS = [0, 30, 60, 90] as const

function drawTalk(
  lottery: Lottery,
  name: string,
  percent: {deeds: number; archives: number},
): TalkPlan {
  const added = lottery.pick([0, 0, 0, 1, 2])
  const base = {
    name,
    atMs: lottery.int(0, STORM_MS * 0.7),
    turns: lottery.int(1, 2),
    rest: lottery.pick(RESTS),
    addedAfterMs: Array.from({length: added}, () => lottery.int(4000, 60_000)),
  }
  if (lottery.percent(percent.deeds)) {
    return {...base, deed: {afterMs: lottery.int(2000, 30_000), seed: `${name} deed`}}
  }
  if (lottery.percent(percent.archives)) {
    const from = lottery.pick(['card', 'elsewhere'] as const)
    const isAlone = added === 0 && from === 'elsewhere'
    const when = isAlone && lottery.percent(40) ? 'at any time' : 'at rest'
    // Somebody may be asked something by then.
    const rest = lottery.pick([base.rest, 'pending_user'] as const)
    return {...base, rest, archive: {afterMs: lottery.int(1000, 60_000), from, when}}
  }
  return base
}

/** As a story that a person can follow. */
export function tellPlan({delivery, instances = 1, writer, ...plan}: Plan): string[] {
  const {rateScale, talks, faults, seed} = plan
  const at = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`
  const lines = [
    ...talks.map((talk) => ({atMs: talk.atMs, line: tellTalk(talk)})),
    ...faults.map((fault) => ({atMs: fault.atMs, line: tellFault(fault)})),
  ].toSorted((one, other) => one.atMs - other.atMs)
  return [
    `seed ${seed}: ${instances} running, deliveries by ${delivery}, writer ${writer}, ${rateScale} times Slack's rates`,
    ...lines.map(({atMs, line}) => `${at(atMs)}  ${line}`),
  ]
}

function tellTalk({name, turns, rest, addedAfterMs, deed, archive}: TalkPlan): string {
  const more = addedAfterMs.map((ms) => `, adds something after ${ms} ms`).join('')
  const besides = deed === undefined ? '' : `, does something else after ${deed.afterMs} ms`
  const end =
    archive === undefined
      ? ''
      : `, archives it ${archive.when} (${archive.from}) after ${archive.afterMs} ms`
  return `somebody asks for ${name}: ${turns} replies, then ${rest}${more}${besides}${end}`
}

function tellFault(fault: FaultPlan): string {
  const details = Object.entries(fault).filter(([name]) => name !== 'kind' && name !== 'atMs')
  return `${fault.kind} ${JSON.stringify(Object.fromEntries(details))}`
}
