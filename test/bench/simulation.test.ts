import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {createAgenda} from '../../bench/simulation/engine/agenda.ts'
import {createLottery} from '../../bench/simulation/engine/lottery.ts'
import {createNetwork} from '../../bench/simulation/engine/network.ts'
import {createProgram, runAs} from '../../bench/simulation/engine/program.ts'
import type {Socket} from '../../bench/simulation/engine/socket.ts'
import {drawPlan} from '../../bench/simulation/plan.ts'
import {shrink} from '../../bench/simulation/shrink.ts'

const root = join(import.meta.dirname, '..', '..')

/** The same file for each, with a process of its own: simulated time is for all of one. */
async function simulated(...given: readonly string[]): Promise<string> {
  const args = ['bench/simulation.ts', ...given]
  const {stdout} = await promisify(execFile)(process.execPath, args, {cwd: root})
  return stdout
}

test.each([
  ['one bot', ['--short', '--seed', '4']],
  ['two instances', ['--short', '--seed', '6']],
  ['two instances that leave each other their budgets', ['--seed', '80003']],
])(
  'what a seed brings about for %s stands as promised in the end, and is the same each time',
  async (_, given) => {
    const [, first, again] = /^trace (\w+), and again (\w+)$/m.exec(await simulated(...given)) ?? []
    expect(first).toMatch(/^[0-9a-f]{8}$/)
    expect(again).toBe(first)
  },
)

test('what once was wrong is well', async () => {
  expect(await simulated('--named')).not.toContain('WRONG')
})

test('things happen in the order of their time, and nothing does that a dead program has begun', async () => {
  const agenda = createAgenda()
  const [living, dying] = [createProgram('one'), createProgram('other')]
  const done: string[] = []
  const work = new Promise<void>((resolve) => {
    agenda.after(30, () => done.push('third'), living)
    agenda.after(20, () => done.push('never'), dying)
    agenda.after(10, () => done.push('second'), living)
    agenda.after(10, () => dying.kill(), dying)
    agenda.after(5, () => done.push('first'), undefined)
    agenda.after(40, resolve, undefined)
  })
  await agenda.play(work)
  expect(done).toEqual(['first', 'second', 'third'])
  expect(agenda.nowMs()).toBeGreaterThanOrEqual(40)
})

test('a connection carries what is sent in order, and breaks when one end dies or its answer is lost', async () => {
  const agenda = createAgenda()
  const network = createNetwork(agenda, createLottery('wires'))
  const heard: string[] = []
  const server = createProgram('server')
  const port = network.listen(0, {
    program: server,
    accept: (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (bytes: Buffer) => {
        heard.push(bytes.toString())
        socket.write('yes')
      })
    },
  })
  const ask = (socket: Socket, words: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      socket.on('data', () => resolve('answered'))
      socket.on('error', ({message}: Error) => resolve(message))
      for (const word of words) socket.write(word)
    })
  const talk = async (): Promise<string[]> => {
    const well = await ask(network.connect(port), ['a', 'b'])
    network.weather.lose(port, 'back', 1)
    const lost = await ask(network.connect(port), ['c'])
    const last = network.connect(port)
    const dead = ask(last, [])
    await new Promise<void>((resolve) => last.once('connect', () => resolve()))
    runAs(undefined, () => server.kill())
    return [well, lost, await dead, await ask(network.connect(port), ['d'])]
  }
  const outcomes = await agenda.play(talk())
  expect(outcomes).toEqual([
    'answered',
    'read ECONNRESET',
    'read ECONNRESET',
    'connect ECONNREFUSED',
  ])
  expect(heard.join('')).toBe('abc')
})

test('a plan that goes wrong is made smaller until nothing can be left out', async () => {
  const plan = drawPlan('3')
  const [talk, fault] = [plan.talks[4], plan.faults[7]]
  let plays = 0
  const least = await shrink(plan, {
    isLate: () => false,
    play: async ({talks, faults}) => {
      plays += 1
      const isWrong =
        talks.some(({name}) => name === talk?.name) && faults.some((one) => one === fault)
      return {
        ...{wrongs: isWrong ? ['it is'] : [], threads: 0, replies: 0, simulatedMs: 0, events: 0},
        ...{trace: '', struck: new Map(), errors: [], output: ''},
      }
    },
  })
  expect(least.talks.map(({name}) => name)).toEqual([talk?.name])
  expect(least.talks[0]?.addedAfterMs).toEqual([])
  expect(least.faults).toEqual([fault])
  expect(plays).toBeLessThan(200)
})
