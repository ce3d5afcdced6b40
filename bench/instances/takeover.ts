import {setTimeout as delay} from 'node:timers/promises'
import type {Dice} from '../../local/platform/agent/dice.ts'
import type {SeenFrame} from './probes.ts'
import {type Figure, quantile, spread, told} from './figures.ts'
import {atMost} from '../lines.ts'
import type {Instance} from './instance.ts'
import type {World} from './world.ts'

/** What became of one workspace after its instance was struck, in seconds from then. */
export interface Takeover {
  team: string
  /** Until `claims` named another epoch; `undefined`: never. */
  ownedS: number | undefined
  /** Until the first frame of whoever owns it since. */
  frameS: number | undefined
  /** Until something new stood in each Slack thread whose message may have stood or not. */
  openS: (number | undefined)[]
}

/** What is known at the moment of a fault; taken just before it, because a database takes time to answer. */
interface Struck {
  atMs: number
  instance: number
  life: number
  teams: string[]
  open: {team: string; thread: string}[]
  epochs: Map<string, number>
}

/** Any that works for a workspace, once there is somebody to take over: where all but one are down, when that is over. */
export async function pickWorking(
  {instances, probes, teams}: World,
  dice: Dice,
): Promise<Instance> {
  for (;;) {
    const working = instances.filter((one) => one.port() !== undefined && !one.isFrozen())
    const owners = new Set(teams.map((team) => probes.current().get(team)?.pid))
    const struck =
      probes.current().size === 0 ? working : working.filter((one) => owners.has(one.pid()))
    const isAnyLeft = working.length > 1 || instances.length === 1
    const one = isAnyLeft ? struck[dice.int(0, struck.length - 1)] : undefined
    if (one !== undefined) return one
    await delay(100)
  }
}

export async function strike(world: World, struck: Instance): Promise<Struck> {
  const {probes, teams, instances} = world
  const open = await probes.openIntents().catch(() => [])
  const instance = instances.indexOf(struck)
  const life = struck.life()
  const pid = struck.pid()
  const isHis = (team: string): boolean => probes.current().get(team)?.pid === pid
  return {
    ...{instance, life, open, atMs: Date.now()},
    teams: teams.filter(isHis),
    epochs: new Map([...probes.current()].map(([name, {epoch}]) => [name, epoch])),
  }
}

/** Follows until every workspace is at work again, or for so long. `resumedAtMs`: since then its own frames count, too. */
export async function follow(
  world: World,
  struck: Struck,
  {withinMs, resumedAtMs}: {withinMs: number; resumedAtMs: () => number},
): Promise<Takeover[]> {
  for (;;) {
    const found = struck.teams.map((team) => takeoverOf(world, struck, {team, resumedAtMs}))
    const isLate = Date.now() - struck.atMs > withinMs
    const isAtWork = found.every(({frameS}) => frameS !== undefined)
    if (isLate || (isAtWork && !isWaiting(found))) return found
    if (isAtWork) await forgetSettled(world, struck)
    await delay(100)
  }
}

function isWaiting(found: readonly Takeover[]): boolean {
  return found.some(({openS}) => openS.includes(undefined))
}

/** What was settled and shows nothing new has nothing to wait for. */
async function forgetSettled({probes}: World, struck: Struck): Promise<void> {
  const still = await probes.openIntents().catch(() => struck.open)
  const isOpen = (thread: string): boolean => still.some((it) => it.thread === thread)
  const isShown = (thread: string): boolean =>
    probes.frames.some((it) => it.atMs >= struck.atMs && it.thread === thread)
  struck.open = struck.open.filter(({thread}) => isOpen(thread) || isShown(thread))
}

function takeoverOf(
  {probes}: World,
  {atMs, instance, life, open, epochs}: Struck,
  {team, resumedAtMs}: {team: string; resumedAtMs: () => number},
): Takeover {
  const seconds = (ms: number | undefined): number | undefined =>
    ms === undefined ? undefined : (ms - atMs) / 1000
  const claim = probes.claims.find(
    (it) => it.name === team && it.atMs >= atMs && it.epoch > (epochs.get(team) ?? 0),
  )
  const isKept = epochs.has(team)
  const fromMs = isKept ? (claim?.atMs ?? Infinity) : atMs
  const from = probes.frames.findLastIndex((frame) => frame.atMs < atMs) + 1
  const later = probes.frames.slice(from).filter((frame) => probes.teamOf(frame) === team)
  const isNew = (frame: SeenFrame): boolean =>
    frame.instance !== instance || frame.life !== life || frame.atMs >= resumedAtMs()
  const first = later.find((frame) => frame.atMs >= fromMs && isNew(frame))
  const openS = open
    .filter((it) => it.team === team)
    .map(({thread}) => seconds(later.find((it) => it.thread === thread && isNew(it))?.atMs))
  return {team, ownedS: seconds(claim?.atMs), frameS: seconds(first?.atMs), openS}
}

const OWNED_S = 13
const FRAME_S = 15
const OPEN_S = 30

/** `isKept`: somebody writes claims, so that who owns what can be told. */
export function takeoverFigures(
  name: string,
  found: readonly Takeover[],
  isKept: boolean,
): Figure[] {
  const late = (values: (number | undefined)[]): number[] => values.map((it) => it ?? Infinity)
  const owned = late(found.map(({ownedS}) => ownedS))
  const frames = late(found.map(({frameS}) => frameS))
  const open = late(found.flatMap(({openS}) => openS))
  return [
    told(`${name}: workspaces struck`, found.length),
    isKept
      ? atMost(`${name}: owned again, p99`, quantile(owned, 0.99), OWNED_S, 's')
      : told(`${name}: owned again`, 'no claims'),
    spread(`${name}: first frame, s`, frames),
    atMost(`${name}: first frame`, quantile(frames, 1), FRAME_S, 's'),
    open.length === 0
      ? told(`${name}: threads with an open intent`, 0)
      : atMost(`${name}: first frame, open intent`, quantile(open, 1), OPEN_S, 's'),
  ]
}
