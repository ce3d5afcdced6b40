// What anybody may send to a hook: malformed bodies, all of which must be refused without a trace and with constant memory;
// connections that send slowly, beside which Slack must be acknowledged as ever; and how long wrong secrets take.
// `--bodies 10000 --slow 200 --checks 20000` for a small one.
import {createHmac} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {connect} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {gzipSync} from 'node:zlib'
import {type Dice, createDice} from '../local/platform/agent/dice.ts'
import {isSame} from '../src/features/hooks/secret-check.ts'
import {createHooks} from '../test/support/hooks.ts'
import {createModals} from '../test/support/modals.ts'
import {createSender} from '../test/support/senders.ts'
import {JANE, startWorld} from '../test/support/world.ts'
import {type Line, atMost, endWith, exactly, never} from './lines.ts'
import {createSender as createSlackSender} from './once/sender.ts'

const {values} = parseArgs({
  options: {
    bodies: {type: 'string', default: '100000'},
    slow: {type: 'string', default: '2000'},
    checks: {type: 'string', default: '400000'},
    seed: {type: 'string', default: '1'},
  },
})
const dice = createDice(`${values.seed} hook bodies`)
const MAX_GROWTH_MB = 20
const MAX_ACK_MS = 500
/** Of Welch's t: beyond it two means differ (https://www.reparaz.net/oscar/misc/dudect.pdf uses 4.5). */
const MAX_T = 4.5
const JSON_TYPE = {'content-type': 'application/json'}

await using world = await startWorld({
  delivery: 'http',
  settings: {BOSUN_HOOKS_PER_MINUTE: '60000', LOG_LEVEL: 'error'},
})
const at = createModals(world)
const hooks = createHooks(world, at)
using sender = createSender()
const channel = await at.channel('bodies', [JANE])
const {path, secret} = await hooks.make(channel, 'Bodies', await hooks.automation('Bodies'))
const port = Number(new URL(hooks.origin()).port)
const wrong: string[] = []
const lines: Line[] = []

const bodies = await measureBodies(Number(values.bodies))
const slow = await measureSlow(Number(values.slow))
const timing = measureTiming(Number(values.checks))
for (const [name, value] of Object.entries({...bodies, ...slow, ...timing})) {
  console.log(name.padEnd(44), value)
}
for (const line of wrong.slice(0, 20)) console.log(line)
endWith([never('bodies that were answered with anything but 4xx', wrong.length), ...lines])

interface Malformed {
  headers?: Record<string, string>
  body: string | Uint8Array
}

/** By what is wrong with it. */
function kindsOf(dice: Dice): Record<string, () => Malformed> {
  const noise = (length: number) => Uint8Array.from({length}, () => dice.int(0, 255))
  const depth = () => dice.int(65, 100_000)
  return {
    nothing: () => ({body: ''}),
    'no JSON': () => ({body: `{"a":${'x'.repeat(dice.int(1, 500))}`}),
    'a list': () => ({body: JSON.stringify([dice.int(0, 9)])}),
    'a value': () => ({body: dice.pick(['1', '"x"', 'null', 'true', 'NaN', '-'])}),
    'deep lists': () => ({body: `{"a":${'['.repeat(depth())}`}),
    'deep objects': () => ({body: '{"a":'.repeat(dice.int(65, 5000))}),
    'deep in a good one': () => {
      const levels = dice.int(64, 2000)
      return {body: `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`}
    },
    'no UTF-8': () => ({body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0])])}),
    noise: () => ({body: noise(dice.int(1, 2000))}),
    gzip: () => ({
      body: gzipSync(Buffer.alloc(10_000_000 / dice.int(1, 50))),
      headers: {'content-encoding': 'gzip'},
    }),
    'a form': () => ({
      body: 'payload=%7B%7D',
      headers: {'content-type': 'application/x-www-form-urlencoded'},
    }),
    'a bad key': () => ({body: '{}', headers: {'idempotency-key': 'x'.repeat(dice.int(256, 900))}}),
    'a wrong secret': () => ({body: '{}', headers: {authorization: `Bearer ${'x'.repeat(43)}`}}),
    'an old signature': () => {
      const timestamp = String(Math.floor(Date.now() / 1000) + dice.pick([-301, 302, 86_400]))
      const signed = createHmac('sha256', secret).update(`v1:${timestamp}:{}`).digest('hex')
      const headers = {'x-bosun-timestamp': timestamp, 'x-bosun-signature': `v1=${signed}`}
      return {body: '{}', headers}
    },
  }
}

async function measureBodies(count: number): Promise<Record<string, number | string>> {
  const kinds = Object.entries(kindsOf(dice))
  const statuses = new Map<number | undefined, number>()
  const sendSome = async (times: number): Promise<void> => {
    let sent = 0
    const work = async (): Promise<void> => {
      while (sent < times) {
        sent += 1
        const [kind = '', make] = kinds[sent % kinds.length] ?? []
        const {headers, body} = make?.() ?? {body: ''}
        // The largest of them seldom, since they cost time and no more.
        const isHuge = sent % 500 === 0
        const given = isHuge ? 'x'.repeat(1_048_577) : body
        const all = {...JSON_TYPE, authorization: `Bearer ${secret}`, ...headers}
        const status = await sender.send(port, path, {headers: all, body: given})
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === undefined || status < 400 || status > 499) {
          wrong.push(`${kind} was answered ${status ?? 'not'}`)
        }
      }
    }
    await Promise.all(Array.from({length: 16}, work))
  }
  // What the first thousands bring into memory stays there once.
  await sendSome(Math.min(20_000, Math.ceil(count / 5)))
  const before = memoryMb()
  await sendSome(count)
  const growth = memoryMb() - before
  const passed = world.requests().filter((row) => row.path.startsWith('/webhooks/')).length
  lines.push(
    atMost('memory grew by', growth, MAX_GROWTH_MB, 'MB'),
    never('bodies that were passed on', passed),
  )
  return {
    'malformed bodies': count,
    ...Object.fromEntries([...statuses].map(([status, times]) => [`… answered ${status}`, times])),
    'memory before, MB': before.toFixed(1),
  }
}

/** Slow heads and slow bodies, and Slack beside them. */
async function measureSlow(count: number): Promise<Record<string, number | string>> {
  const slack = createSlackSender(world)
  const alone = await acks(slack, 50)
  const sockets = Array.from({length: count}, (_, index) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined) // cut off, as it should be
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\n`
    const whole = `${head}content-type: application/json\r\nauthorization: Bearer ${secret}\r\ncontent-length: 1000000\r\n\r\n{"a":"`
    socket.write(index % 2 === 0 ? whole : head)
    return socket
  })
  const drip = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x')
  }, 1000)
  await delay(1000)
  const open = sockets.filter(({destroyed}) => !destroyed).length
  const beside = await acks(slack, 100)
  const fair = await sender.send(port, path, {
    ...{headers: {...JSON_TYPE, authorization: `Bearer ${secret}`}, body: '{"fair":true}'},
  })
  await delay(15_000)
  clearInterval(drip)
  const left = sockets.filter(({destroyed, readyState}) => !destroyed && readyState === 'open')
  for (const socket of sockets) socket.destroy()
  const longest = Math.max(...beside)
  lines.push(
    atMost('Slack is acknowledged beside slow ones within', longest, MAX_ACK_MS, 'ms'),
    exactly('how a good delivery is answered beside them', fair, 202),
    never('slow connections that stand 15 s later', left.length),
  )
  return {
    'slow connections': open,
    'acknowledged alone, longest, ms': Math.max(...alone).toFixed(0),
  }
}

async function acks(slack: ReturnType<typeof createSlackSender>, count: number): Promise<number[]> {
  const took: number[] = []
  for (let index = 0; index < count; index += 1) {
    const ts = `${Math.floor(Date.now() / 1000)}.${String(dice.int(0, 999_999)).padStart(6, '0')}`
    const event = {type: 'message', channel, channel_type: 'channel', ts, text: 'x', user: JANE}
    const id = `Ev${dice.int(0, 1e12)}`
    const body = {type: 'event_callback', team_id: world.slack.teamId, event_id: id, event}
    const tookMs = await slack.event({...body, event: {...event, thread_ts: ts}}, undefined)
    took.push(tookMs ?? Infinity)
  }
  return took
}

/** Two kinds of wrong secrets, one after the other by lot: whether their times can be told apart. */
function measureTiming(count: number): Record<string, string> {
  const wanted = `sk_hook_${'s'.repeat(43)}`
  const samples = [wanted.replace('sk', 'xx'), `${wanted.slice(0, -1)}x`] as const
  const took: [number[], number[]] = [[], []]
  for (let index = 0; index < count; index += 1) {
    const which = dice.int(0, 1) === 0 ? 0 : 1
    const startNs = process.hrtime.bigint()
    isSame(samples[which], wanted)
    const ns = Number(process.hrtime.bigint() - startNs)
    if (index > count / 10) took[which].push(ns)
  }
  // What the machine did meanwhile says nothing of the check.
  const limit = [...took[0], ...took[1]].toSorted((a, b) => a - b)[Math.floor(count * 0.8)] ?? 0
  const [first, last] = took.map((all) => all.filter((ns) => ns <= limit)) as [number[], number[]]
  const t = welch(first, last)
  lines.push(atMost('Welch’s t of secrets wrong at the start and the end', Math.abs(t), MAX_T))
  return {
    'wrong at the start, mean, ns': mean(first).toFixed(0),
    'wrong at the end, mean, ns': mean(last).toFixed(0),
  }
}

function welch(a: readonly number[], b: readonly number[]): number {
  const error = (all: readonly number[]): number => {
    const middle = mean(all)
    return all.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (all.length - 1) / all.length
  }
  return (mean(a) - mean(b)) / Math.sqrt(error(a) + error(b))
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, one) => sum + one, 0) / all.length
}

function memoryMb(): number {
  const status = readFileSync(`/proc/${world.bot.pid() ?? 0}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
