import {request} from 'node:http'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type Hooks, createHooks, deliveriesTold, runsTold} from '../support/hooks.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {JANE, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World
let at: Modals
let hooks: Hooks

beforeAll(async () => {
  world = await startInside({pace: 0.05, settings: {BOSUN_HOOKS_PER_MINUTE: '200'}})
  at = createModals(world)
  hooks = createHooks(world, at)
})
afterAll(() => world[Symbol.asyncDispose]())

const json = {'content-type': 'application/json'}
const MIB = 1_048_576

async function made(name: string) {
  const channel = await at.channel(name.toLowerCase(), [JANE])
  return {channel, ...(await hooks.make(channel, name, await hooks.automation(name)))}
}

/** Senders that announce a body, send so much of it, and let the rest wait. */
function createDawdlers() {
  const all: ReturnType<typeof request>[] = []
  return {
    send: (path: string, headers: Record<string, string>, bytes: number): Promise<number> =>
      new Promise((resolve) => {
        const asked = request(hooks.origin() + path, {
          ...{method: 'POST', agent: false},
          headers: {...json, 'content-length': String(MIB), ...headers},
        })
        asked.on('response', (response) => resolve(response.resume().statusCode ?? 0))
        asked.on('error', () => undefined) // cut off behind its answer
        asked.flushHeaders()
        if (bytes > 0) asked.write(Buffer.alloc(bytes, ' '))
        all.push(asked)
      }),
    [Symbol.dispose]: () => {
      for (const asked of all) asked.destroy()
    },
  }
}

describe('whoever sends slowly', () => {
  test('and has no hook, or not its secret, is refused before a byte of the body has come', async () => {
    const {path, secret} = await made('Refused')
    using dawdlers = createDawdlers()
    const signature = {'x-hub-signature-256': `sha256=${'0'.repeat(64)}`}
    const startedAtMs = performance.now()
    const answers = await Promise.all([
      dawdlers.send('/hooks/nobodys', {authorization: `Bearer ${secret}`}, 0),
      dawdlers.send('/hooks/nobodys', signature, 0),
      dawdlers.send(path, {authorization: 'Bearer wrong'}, 0),
      dawdlers.send(path, {authorization: 'Bearer wrong', ...signature}, 0),
    ])
    expect(answers).toEqual([401, 401, 401, 401])
    // Later, it is refused because the body does not come.
    expect(performance.now() - startedAtMs).toBeLessThan(10_000)
  })

  test('to one hook takes no room from the others', async () => {
    const [besieged, other] = [await made('Besieged'), await made('Other')]
    using dawdlers = createDawdlers()
    const signature = {'x-hub-signature-256': `sha256=${'0'.repeat(64)}`}
    const answered: number[] = []
    for (let count = 0; count < 18; count += 1) {
      void dawdlers
        .send(besieged.path, signature, MIB - 1000)
        .then((status) => answered.push(status))
    }
    await world.until('its room is full', () => answered.length >= 14)
    expect(answered).toEqual(answered.map(() => 503))
    const bearer = {...json, authorization: `Bearer ${other.secret}`}
    const large = JSON.stringify({large: 'x'.repeat(MIB - 1000)})
    expect(await hooks.post(other.path, large, bearer)).toEqual({
      ...{status: 202, body: {outcome: 'accepted'}},
    })
    await hooks.receipts(other.channel, 1)
  })
})

describe('a channel after an outage of the platform', () => {
  test('hears of all that waited together, and of each once', async () => {
    await world.moveOut()
    const {channel, path, secret} = await made('Outage')
    const {faults} = world.platform.control
    const away = {kind: 'answer' as const, status: 503, headers: {}, applied: false}
    const outage = faults.add({match: {path: '^/webhooks/'}, times: null, fault: away})
    const bearer = {...json, authorization: `Bearer ${secret}`}
    for (let count = 0; count < 40; count += 1) {
      expect((await hooks.post(path, `{"waits":${count}}`, bearer)).status).toBe(202)
    }
    await world.until('each was tried', () => {
      const tried = world.requests().filter((row) => row.path.startsWith('/webhooks/'))
      return (
        new Set(tried.filter(({applied}) => !applied).map((row) => row.idempotencyKey)).size >= 40
      )
    })
    faults.remove(outage)
    const receipts = await hooks.receipts(channel, 40)
    expect([deliveriesTold(receipts), runsTold(receipts)]).toEqual([40, 40])
    expect(receipts.length).toBeLessThanOrEqual(4)
    // What comes now is told at once.
    await hooks.post(path, '{"after":1}', bearer)
    const [last] = (await hooks.receipts(channel, 41)).slice(-1)
    expect(last).toBe('⚡️ *Outage* started: its hook received a delivery.')
    await world.bot.kill()
    await world.startBot()
    expect(deliveriesTold(await hooks.receipts(channel, 41))).toBe(41)
  })
})
