// Deliveries to hooks, many of them more than once, while the platform fails at random and the bot is killed again and again:
// runs started, deliveries that the channels were told of (many of them in one message) and unique keys must be the same number.
// `--deliveries 1000 --kills 5` for a small one.
import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {createDice} from '../local/platform/agent/dice.ts'
import {createHooks, deliveriesTold, runsTold} from '../test/support/hooks.ts'
import {createModals} from '../test/support/modals.ts'
import {createSender} from '../test/support/senders.ts'
import {JANE, startWorld} from '../test/support/world.ts'
import {endWith, exactly} from './lines.ts'

const {values} = parseArgs({
  options: {
    deliveries: {type: 'string', default: '10000'},
    duplicates: {type: 'string', default: '0.4'},
    kills: {type: 'string', default: '50'},
    channels: {type: 'string', default: '10'},
    seed: {type: 'string', default: '1'},
  },
})
const count = Number(values.deliveries)
const kills = Number(values.kills)
const dice = createDice(`${values.seed} hooks`)
/** Who sends has a key, and asks again until it is taken: so do GitHub and everybody else. */
const AT_ONCE = 12
const FAULT_EVERY_MS = 400

await using world = await startWorld({
  pace: 0.01,
  settings: {BOSUN_HOOKS_PER_MINUTE: '60000', LOG_LEVEL: 'error'},
})
const at = createModals(world)
const hooks = createHooks(world, at)
using sender = createSender(AT_ONCE)

const targets: {channel: string; path: string; secret: string}[] = []
for (let index = 0; index < Number(values.channels); index += 1) {
  const channel = await at.channel(`bench-${index}`, [JANE])
  const name = `Bench ${index}`
  targets.push({channel, ...(await hooks.make(channel, name, await hooks.automation(name)))})
}
const isRepeat = Array.from(
  {length: count},
  (_, index) => index > 0 && dice.int(1, 1000) <= 1000 * Number(values.duplicates),
)
const keys: string[] = []
const order = isRepeat.map((isAgain, index) => {
  if (isAgain) return dice.pick(keys as [string, ...string[]])
  keys.push(`key-${index}`)
  return `key-${index}`
})
const startedAtMs = performance.now()
const statuses = new Map<number | undefined, number>()
let next = 0

const deliver = async (key: string): Promise<void> => {
  const target = targets[Number(key.slice(4)) % targets.length]
  if (target === undefined) throw new Error('No hook')
  const body = JSON.stringify({key, words: 'a quick check'})
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${target.secret}`,
    'idempotency-key': key,
  }
  for (;;) {
    const port = Number(new URL(hooks.origin()).port)
    const status = await sender.send(port, target.path, {headers, body})
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 202) return
    await delay(dice.int(20, 200))
  }
}

const sendMany = async (): Promise<void> => {
  while (next < order.length) {
    const key = order[next] ?? ''
    next += 1
    await deliver(key)
  }
}

let isOver = false
const fail = async (): Promise<void> => {
  while (!isOver) {
    const {faults} = world.platform.control
    const path = '^/webhooks/'
    const kind = dice.int(1, 5)
    faults.add({
      match: {path},
      times: dice.int(1, 4),
      fault:
        kind === 1
          ? {kind: 'lost', applied: true}
          : kind === 2
            ? {kind: 'lost', applied: false}
            : kind === 3
              ? {kind: 'answer', status: 429, headers: {'retry-after': '1'}, applied: false}
              : {
                  kind: 'answer',
                  status: dice.pick([500, 502, 503]),
                  headers: {},
                  applied: kind === 4,
                },
    })
    await delay(FAULT_EVERY_MS)
  }
}

const kill = async (): Promise<void> => {
  for (let index = 1; index <= kills; index += 1) {
    const fromSent = Math.floor((index * count) / (kills + 1))
    while (next < fromSent) await delay(5)
    await delay(dice.int(0, 300))
    await world.bot.kill()
    await world.startBot()
  }
}

const failing = fail()
await Promise.all([...Array.from({length: AT_ONCE}, sendMany), kill()])
isOver = true
await failing
const sentMs = performance.now() - startedAtMs

const runs = (): number =>
  world.requests().filter(({path, applied}) => path.startsWith('/webhooks/') && applied).length
const receipts = (): string[] =>
  targets.flatMap(({channel}) =>
    world.slack
      .messages(channel)
      .filter(({userId, text}) => userId === world.slack.botUserId && text.includes('Bench'))
      .map(({text}) => text),
  )
await world.until('each has run', () => runs() >= keys.length, 900_000)
await world.until('each has its receipt', () => deliveriesTold(receipts()) >= keys.length, 900_000)
// Whatever would come too much, comes by then.
await delay(20_000)
const started = new Set(
  world
    .requests()
    .filter(({path, applied}) => path.startsWith('/webhooks/') && applied)
    .map(({idempotencyKey}) => idempotencyKey),
)
const told = receipts()
const threads = world.platform
  .threads()
  .filter(({id}) => /"key":"key-\d+"/.test(world.platform.transcript(id)[0]?.text ?? '')).length
const rows = {
  deliveries: count,
  'in so many messages': told.length,
  'seconds of sending': Math.round(sentMs / 1000),
  seconds: Math.round((performance.now() - startedAtMs) / 1000),
  ...Object.fromEntries(
    [...statuses].map(([status, times]) => [`answered ${status ?? 'not'}`, times]),
  ),
}
for (const [name, value] of Object.entries(rows)) console.log(name.padEnd(30), value)
endWith([
  exactly('runs admitted: the unique keys', runs(), keys.length),
  exactly('keys that ran', started.size, keys.length),
  exactly('threads of runs', threads, keys.length),
  exactly('deliveries told of', deliveriesTold(told), keys.length),
  exactly('told that they ran', runsTold(told), keys.length),
  exactly('kills', world.bot.kills(), kills),
])
