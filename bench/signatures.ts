// 100,000 forged, aged, future and mutated requests over real HTTP, and between them genuine ones: none of the former may be
// let in, all of the latter must be. `--count 1000` for fewer.
import {Agent} from 'node:http'
import {parseArgs} from 'node:util'
import {createDice} from '../local/platform/agent/dice.ts'
import {listen} from '../src/http/server.ts'
import {createSlackEndpoint} from '../src/http/slack-endpoint.ts'
import {Secret} from '../src/security/secret.ts'
import {FORGERIES, draftOf, genuine, post} from '../test/support/forgeries.ts'
import {endWith, exactly, never} from './lines.ts'

const {values} = parseArgs({
  options: {count: {type: 'string', default: '100000'}, seed: {type: 'string', default: '1'}},
})
const count = Number(values.count)
const dice = createDice(values.seed)
const roll = (below: number): number => dice.int(0, Math.max(1, below) - 1)
const SECRET = 'a signing secret'
const GENUINE_EVERY = 100

let admitted = 0
const slack = createSlackEndpoint({
  log: {warn: () => undefined},
  signingSecret: new Secret(SECRET),
  events: (_request, response) => {
    admitted += 1
    response.end()
  },
})
const server = await listen({host: '127.0.0.1', port: 0, slack, routes: () => new Response()})
const agent = new Agent({keepAlive: true, maxSockets: 16})
const kinds = Object.keys(FORGERIES)
const answers = new Map<string, number>()
const startedAtMs = performance.now()
let sent = 0
let wanted = 0

async function sendMany(): Promise<void> {
  while (sent < count) {
    sent += 1
    const number = sent
    const kind = kinds[number % kinds.length] ?? ''
    const forged = FORGERIES[kind]?.(SECRET, draftOf(roll), roll)
    if (forged === undefined) throw new Error(kind)
    const {status, text} = await post(server.port, forged, agent)
    const seen = `${kind}: ${status} ${text}`
    answers.set(seen, (answers.get(seen) ?? 0) + 1)
    if (number % GENUINE_EVERY > 0) continue
    wanted += 1
    await post(server.port, genuine(SECRET, draftOf(roll)), agent)
  }
}

await Promise.all(Array.from({length: 16}, sendMany))
agent.destroy()
await server[Symbol.asyncDispose]()
for (const [seen, times] of [...answers].sort())
  console.log(`${String(times).padStart(8)}  ${seen}`)
const seconds = (performance.now() - startedAtMs) / 1000
console.log(`${count} forged in ${seconds.toFixed(1)} s`)
const otherwise = [...answers].filter(([seen]) => !seen.endsWith(': 401 Unauthorized'))
endWith([
  exactly('requests let in: the genuine ones', admitted, wanted),
  never(
    'forged ones that were not answered with 401',
    otherwise.reduce((sum, [, times]) => sum + times, 0),
  ),
])
