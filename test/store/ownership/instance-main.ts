// One instance as a process of its own, for tests that stop or kill it: node instance-main.ts DATABASE_URL [LEAVE_MS]
import {randomUUID} from 'node:crypto'
import {setTimeout as delay} from 'node:timers/promises'
import {openOwnership} from '../../../src/store/ownership/opening.ts'
import type {Claim} from '../../../src/store/ownership/ownership.ts'

const instance = randomUUID()
const say = (word: string, what: object): void =>
  void process.stdout.write(`${JSON.stringify({word, instance, ...what})}\n`)

const told: string[] = []
const [path = '', leaveMs = '0'] = process.argv.slice(2)
const ownership = await openOwnership({path, instance, tell: (line) => told.push(line)})
const claims = new Set<Claim>()
ownership.begin({
  take: async (claim) => {
    claims.add(claim)
    say('taken', {name: claim.name, epoch: claim.epoch})
    claim.over.addEventListener('abort', () => say('over', {name: claim.name, epoch: claim.epoch}))
  },
  leave: async (claim) => {
    await delay(Math.random() * Number(leaveMs))
    claims.delete(claim)
  },
})
say('begun', {})

// A gap in time: what may still be done is asked before anything else happens.
let lastMs = Date.now()
setInterval(() => {
  const gapMs = Date.now() - lastMs
  lastMs = Date.now()
  if (gapMs > 5000) {
    say('woken', {may: [...claims].filter((claim) => claim.mayCall()).length, held: claims.size})
  }
}, 20)
process.on('SIGTERM', () => {
  void ownership[Symbol.asyncDispose]().then(() => process.exit(0))
})
