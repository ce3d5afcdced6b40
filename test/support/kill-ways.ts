import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Dice} from '../../local/platform/agent/dice.ts'
import type {Moment} from './faulty-proxy.ts'
import {COMMITS, type DeathWish} from './killing-store.ts'
import type {World} from './world.ts'

/** What the bot is going to die of. */
type WritingMode =
  | {kind: 'slack'; method: string; moment: Moment; nth: number; delayMs: number}
  | {kind: 'platform'; request: RegExp; name: string; moment: Moment}
  | {kind: 'commit'; request: DeathWish; isFromStart: boolean}

type Request = [name: string, line: RegExp]

const MOMENTS = ['before', 'at', 'after'] as const
const REQUESTS: [Request, ...Request[]] = [
  ['POST threads', /^POST \S+\/threads$/],
  ['POST message', /^POST \S+\/message$/],
  ['POST that changes', /^POST \S+\/(cancel|send-now|interrupt|archive|unarchive)$/],
]

/** Creations twice as often: what they leave behind is looked for. */
const METHODS = [
  ...['chat.postMessage', 'chat.postMessage', 'chat.update'],
  ...['chat.startStream', 'chat.startStream', 'chat.appendStream', 'chat.stopStream'],
] as const

/** All ways in turn; the dice choose what is left to choose. */
export function chooseWay(dice: Dice, kill: number): WritingMode {
  const moment = MOMENTS[Math.floor(kill / 3) % 3] ?? 'at'
  if (kill % 3 === 0) {
    const method = dice.pick(METHODS)
    return {kind: 'slack', method, moment, nth: dice.int(1, 12), delayMs: dice.int(9, 30)}
  }
  if (kill % 6 === 1) {
    const [name, request] = dice.pick(REQUESTS)
    return {kind: 'platform', request, name, moment}
  }
  const commit = COMMITS[kill % COMMITS.length] ?? 'intend'
  const isRare = ['inbox', 'done', 'send', 'forget'].includes(commit)
  const nth = dice.int(1, isRare ? 2 : 20)
  const when = dice.pick(['before', 'after'] as const)
  return {
    kind: 'commit',
    request: {commit, when, nth},
    isFromStart: kill > 0 && dice.int(1, 3) === 1,
  }
}

const DIES_WITHIN_MS = 8000

/** Lets it die so, or at last of something else; answers what it died of. */
export async function die(
  world: World,
  way: WritingMode,
  disturb: () => Promise<void>,
): Promise<string> {
  const {bot} = world
  const kill = (): void => void bot.kill()
  const late = new AbortController()
  const timer = setTimeout(() => {
    late.abort()
    kill()
  }, DIES_WITHIN_MS)
  const end = bot.ended()
  const disarm = bot.isRunning() ? arm(world, way, kill) : () => undefined
  await disturb()
  await end
  clearTimeout(timer)
  disarm()
  world.slack.faults.calm()
  return late.signal.aborted ? `at any time, waiting for: ${nameOf(way)}` : nameOf(way)
}

function arm(world: World, way: WritingMode, kill: () => void): () => void {
  const {slack, proxy, bot} = world
  if (way.kind === 'platform') {
    return proxy.strikeAt(way.request, way.moment, kill)
  }
  if (way.kind === 'commit') {
    const pid = bot.pid()
    if (way.isFromStart || pid === undefined) return () => undefined // it has counted since its start
    writeFileSync(wishFile(world), JSON.stringify(way.request))
    process.kill(pid, 'SIGUSR2')
    // A creation that was refused is forgotten: without that, it happens too seldom.
    const limited = {times: way.request.nth, status: 429, applied: false, retryAfterSeconds: 1}
    if (way.request.commit === 'forget') slack.faults.failNext('chat.postMessage', limited)
    return () => undefined
  }
  let left = way.nth
  return slack.ledger.watch((entry) => {
    if (!('method' in entry) || entry.method !== way.method) return
    if (way.moment === 'before' && entry.status === 0 && !entry.applied) kill()
    left -= 1
    if (left === 1 && way.moment === 'before') {
      slack.faults.failNext(way.method, {times: 1, applied: false})
    }
    if (left !== 0 || way.moment === 'before' || !entry.applied) return
    // Right here the call has been applied, and its answer is not on its way yet.
    if (way.moment === 'at') kill()
    else setTimeout(kill, way.delayMs)
  })
}

function nameOf(way: WritingMode): string {
  if (way.kind === 'slack') return `${way.moment} ${way.method} is applied`
  if (way.kind === 'platform') return `${way.moment} ${way.name} is applied`
  const {commit, when} = way.request
  return `${when} a commit: ${commit}${way.isFromStart ? ', counted from the start' : ''}`
}

/** Beside the database, where the bot looks for it too. */
export function wishFile({folder}: World): string {
  return join(folder, 'death-wish.json')
}
