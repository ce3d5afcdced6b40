import {createHmac} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import {type Dice, createDice} from '../../../local/platform/agent/dice.ts'
import {isWorking} from '../../../src/platform/model.ts'
import {permits} from '../../../src/app/features.ts'
import {bodyOf} from '../matrix-deeds.ts'
import {type Field, OTHER_TEAM, type Spot, openField} from './field.ts'
import {createJudge} from './judge.ts'
import {type Wire, createMutations} from './mutations.ts'

interface PayloadReport {
  sent: number
  /** How many answers had each status; 0: there was none. */
  statuses: Record<string, number>
  /** Until the answer, as the sender saw it. */
  ackMs: {median: number; p99: number; max: number}
  /** Requests that changed something at the platform: that the storm did anything at all. */
  effects: number
  /** Resident memory after each tenth of the payloads. */
  memoryMb: number[]
  /** The process was the same from the first to the last. */
  isSameProcess: boolean
  /** It still answered a mention at the end. */
  isAlive: boolean
  /** One line each: what happened where it had no place, and answers that are none. */
  wrong: string[]
}

interface PayloadOptions {
  count: number
  seed: string
  onBatch?: (sent: number) => void
}

const BATCH = 100
const PARALLEL = 16
const ANSWER_WITHIN_MS = 30_000
/** Slack waits for 3 s, the way there and back included. */
const REFUSED_AFTER_MS = 2000
const OLD_BODIES = 200

/** Sends payloads that Slack might have signed, and judges what comes of them by all ledgers and tables. */
export async function runPayloads({count, seed, onBatch}: PayloadOptions): Promise<PayloadReport> {
  await using field = await openField()
  const {world} = field
  const dice = createDice(seed)
  const next = createBodies(field, dice)
  const judge = createJudge(field)
  const port = /port (\d+)/.exec(lastLineOf(world.bot.output()))?.[1] ?? ''
  const address = `http://127.0.0.1:${port}/slack/events`
  const secret = world.settings()['SLACK_SIGNING_SECRET'] ?? ''
  const pid = world.bot.pid()
  const times: number[] = []
  const effectsBefore = world.platform.ledger.filter(isEffect).length
  const report: PayloadReport = {
    ...{sent: 0, statuses: {}, ackMs: {median: 0, p99: 0, max: 0}, effects: 0},
    ...{memoryMb: [], isSameProcess: true, isAlive: false, wrong: []},
  }
  const post = async (wire: Wire): Promise<void> => {
    const beganMs = performance.now()
    const status = await send(address, secret, wire)
    const tookMs = performance.now() - beganMs
    times.push(tookMs)
    report.sent += 1
    report.statuses[status] = (report.statuses[status] ?? 0) + 1
    // It refuses what it cannot write down in the time that Slack waits: a busy machine is no fault of the payload.
    if (status === 500 && tookMs >= REFUSED_AFTER_MS) return
    if (status === 200 || (status >= 400 && status < 500)) return
    report.wrong.push(
      `answered with ${status}: ${wire.type} ${wire.body.toString().slice(0, 2000)}`,
    )
  }
  while (report.sent < count && report.wrong.length < 50) {
    const channel = dice.pick(channelsOf(field.spots))
    const wires = Array.from({length: Math.min(BATCH, count - report.sent)}, () => next(channel))
    const queue = [...wires]
    const work = async (): Promise<void> => {
      for (let wire = queue.pop(); wire !== undefined; wire = queue.pop()) await post(wire)
    }
    await Promise.all(Array.from({length: PARALLEL}, work))
    await calm(field)
    report.wrong.push(...judge.judge({channel, bodies: wires.map(textOf)}))
    if (Math.floor((report.sent * 10) / count) > report.memoryMb.length) {
      report.memoryMb.push(memoryMb(pid))
    }
    onBatch?.(report.sent)
  }
  times.sort((one, other) => one - other)
  const at = (share: number): number => Math.round(times[Math.floor(share * times.length)] ?? 0)
  report.ackMs = {median: at(0.5), p99: at(0.99), max: Math.round(times.at(-1) ?? 0)}
  report.effects = world.platform.ledger.filter(isEffect).length - effectsBefore
  report.isSameProcess = world.bot.pid() === pid
  report.isAlive = await isAlive(field)
  return report
}

function channelsOf(spots: readonly Spot[]): [string, ...string[]] {
  const [first = '', ...others] = new Set(spots.map(({channel}) => channel))
  return [first, ...others]
}

/** The bot was started twice. */
function lastLineOf(output: string): string {
  return output.slice(output.lastIndexOf('Bosun is ready'))
}

function isEffect({method, applied}: {method: string; applied: boolean}): boolean {
  return method !== 'GET' && applied
}

function textOf({body}: Wire): string {
  const text = body.toString()
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Makes one request after the other; all of them are done in the channel that is asked for. */
function createBodies(field: Field, dice: Dice): (channel: string) => Wire {
  const {world, spots, strangers, users} = field
  const [firstEvent = '', ...otherEvents] = Object.keys(permits)
  const events: [string, ...string[]] = [firstEvent, ...otherEvents]
  const all = [...spots, ...strangers]
  const channels = new Set(all.map(({channel}) => channel))
  const ids = [
    ...users,
    ...['T0LOCAL', OTHER_TEAM, 'E0NONE', 'A0BOSUN', 'C0BETAGENERAL'],
    ...field.links().map(({threadId}) => threadId),
    ...all.flatMap((spot) => Object.values(spot) as string[]),
  ].filter((id) => !channels.has(id))
  const mutations = createMutations({
    ...{dice, channels, ids: () => ids},
    names: events.map((event) => event.split(' ').at(-1) ?? ''),
  })
  const seen = new Map<string, Wire[]>()
  let ordinal = 0
  let turns = new Map<string, number>()

  const bodyIn = (channel: string): Record<string, unknown> => {
    ordinal += 1
    const [first, ...others] = spots.filter((spot) => spot.channel === channel)
    if (first === undefined) throw new Error(`Nothing stands in ${channel}.`)
    const here = dice.pick([first, ...others])
    const [anywhere = first, ...elsewhere] = all
    const about = dice.int(0, 2) > 0 ? here : dice.pick([anywhere, ...elsewhere])
    const [someone = '', ...people] = users
    const user = dice.int(0, 1) === 0 ? here.starter : dice.pick([someone, ...people])
    const {botUserId, teamId: team} = world.slack
    const {slackThread} = here
    const doing = {team, user, botUserId, ordinal, channel, slackThread, about}
    const body = plausible(bodyOf(dice.pick(events), doing))
    // Buttons of an older state do nothing.
    const turn = turns.get(about.linkId) ?? 0
    const text = JSON.stringify(body).replaceAll(`"${about.linkId}.0`, `"${about.linkId}.${turn}`)
    return JSON.parse(text) as Record<string, unknown>
  }

  return (channel) => {
    if (ordinal % 10 === 0) turns = new Map(field.links().map(({id, turn}) => [id, turn]))
    const old = seen.get(channel) ?? []
    const kind = dice.int(0, 99)
    if (kind < 4) return mutations.noise()
    const [first, ...others] = old
    if (kind < 10 && first !== undefined) return dice.pick([first, ...others])
    const body = bodyIn(channel)
    const wire = kind < 20 ? mutations.plain(body) : mutations.mutate(body)
    seen.set(channel, [...old, wire].slice(-OLD_BODIES))
    return wire
  }
}

/** What Slack adds to everything. */
function plausible(body: Record<string, unknown>): Record<string, unknown> {
  return {
    ...body,
    ...{token: 'old', api_app_id: 'A0BOSUN', enterprise: null, is_enterprise_install: false},
    ...('command' in body && {team_domain: 'acme', user_name: 'x'}),
  }
}

async function send(address: string, secret: string, {type, body}: Wire): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  const headers = {
    'content-type': type,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${hash}`,
  }
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    const answer = await fetch(address, {method: 'POST', headers, body, signal})
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

/** The inbox is empty and the agents rest, so that what comes later has other reasons. */
async function calm(field: Field): Promise<void> {
  const {world} = field
  const startMs = Date.now()
  for (;;) {
    const isDone =
      field.waiting() === 0 && !world.platform.threads().some(({status}) => isWorking(status))
    const sinceCallMs = Date.now() - (world.slack.ledger.calls.at(-1)?.arrivedAtMs ?? 0)
    // What people are told follows behind the row that asked for it.
    const isQuiet = sinceCallMs > QUIET_MS
    const tookMs = Date.now() - startMs
    const isTried = tookMs > CALM_WITHIN_MS && field.untried() === 0
    if ((isQuiet && (isDone || isTried)) || tookMs > TRIED_WITHIN_MS) return
    await delay(20)
  }
}

/** What is put off longer than this asks for something that this world never grants. */
const CALM_WITHIN_MS = 5000
/** A machine with other work to do takes its time for a batch. */
const TRIED_WITHIN_MS = 60_000
const QUIET_MS = 1000

async function isAlive({world}: Field): Promise<boolean> {
  const place = await world.say('<@U0BOSUN> are you well?', {channel: 'C0WEB'})
  await world.settled(place)
  return world.ours(place).length > 1
}

function memoryMb(pid: number | undefined): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb ?? 0) / 1024)
}
