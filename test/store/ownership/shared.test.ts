import {expect, test} from 'vitest'
import {temporaryPostgres} from '../../support/postgres.ts'
import {onServer} from '../../support/postgres-server.ts'
import {until} from '../../support/until.ts'
import {type TestOwnership, startOwnership, teams} from './ownerships.ts'
import {startProcess} from './processes.ts'

const all = (some: readonly TestOwnership[]): string[] => some.flatMap((one) => one.names()).sort()
const sizes = (some: readonly TestOwnership[]): number[] => some.map((one) => one.names().length)

/** Everything is somebody's, and of one each. */
const settled = (some: readonly TestOwnership[], names: readonly string[], each: number[]) =>
  until(
    `${names.length} names are shared out`,
    () => all(some).join() === names.join() && sizes(some).sort().join() === each.sort().join(),
    {withinMs: 60_000, tell: () => sizes(some).join()},
  )

const epochs = async (url: string): Promise<Map<string, number>> =>
  new Map(
    (await onServer('select name, epoch from claims', url)).map(({name, epoch}) => [
      String(name),
      Number(epoch),
    ]),
  )

test.concurrent(
  'split evenly by themselves, the youngest gets its share, whoever ends hands over',
  async ({onTestFinished: onEnd}) => {
    const url = await temporaryPostgres(onEnd)
    const names = teams(30)
    const first = await startOwnership(url, {onEnd})
    await first.ownership.offer(names)
    await first.ownership.offer(names)
    await settled([first], names, [30])
    const before = await epochs(url)
    expect(first.taken.map(({epoch, name}) => before.get(name) === epoch)).not.toContain(false)

    const second = await startOwnership(url, {onEnd})
    const third = await startOwnership(url, {onEnd})
    await settled([first, second, third], names, [10, 10, 10])
    expect(third.ownership.instances()).toBe(3)
    // What went from one to the other has grown by one, and was left before it was over.
    for (const claim of [...second.taken, ...third.taken]) {
      expect(claim.epoch).toBeGreaterThan(before.get(claim.name) ?? Infinity)
    }
    const over = first.taken.filter((claim) => claim.over.aborted)
    expect(over).toEqual(expect.arrayContaining([...first.left]))
    expect(over.length).toBe(20)

    await first.end()
    expect(first.left.length).toBe(first.taken.length)
    await settled([second, third], names, [15, 15])
    expect([...first.told, ...second.told, ...third.told]).toEqual([])
  },
)

test.concurrent(
  'what is withdrawn is nobody’s, here and elsewhere, until it is offered again',
  async ({onTestFinished: onEnd}) => {
    const url = await temporaryPostgres(onEnd)
    const one = await startOwnership(url, {onEnd})
    const other = await startOwnership(url, {onEnd})
    await one.ownership.offer(teams(4))
    await settled([one, other], teams(4), [2, 2])
    const [mine = ''] = one.names()
    const [theirs = ''] = other.names()
    const left = one.left.length
    await one.ownership.withdraw(mine)
    expect(one.left.length).toBe(left + 1)
    expect(one.names()).not.toContain(mine)
    // They hear of it, and nobody has it before they must have.
    const claim = other.taken.find(({name}) => name === theirs)
    await one.ownership.withdraw(theirs)
    await one.ownership.offer([theirs])
    await until('the other one has lost it', () => claim?.over.aborted === true)
    await until('it is somebody’s again', () => all([one, other]).includes(theirs))
    expect((await epochs(url)).get(theirs)).toBeGreaterThan((claim?.epoch ?? Infinity) + 1)
    await one.ownership.offer([mine])
    await settled([one, other], teams(4), [2, 2])
  },
)

test.concurrent(
  'before it begins, an instance neither takes nor counts',
  async ({onTestFinished: onEnd}) => {
    const url = await temporaryPostgres(onEnd)
    const waiting = await startOwnership(url, {beginsNow: false, onEnd})
    await waiting.ownership.offer(teams(3))
    const other = await startOwnership(url, {onEnd})
    await settled([other], teams(3), [3])
    expect(other.ownership.instances()).toBe(1)
  },
)

test.concurrent(
  'a claim that a commit found to be over ends at once, and comes again',
  async ({onTestFinished: onEnd}) => {
    const url = await temporaryPostgres(onEnd)
    const one = await startOwnership(url, {onEnd})
    await one.ownership.offer(['T1'])
    await settled([one], ['T1'], [1])
    const [claim] = one.taken
    if (claim === undefined) throw new Error('Nothing was taken')
    one.ownership.lost(claim)
    expect(claim.over.aborted).toBe(true)
    expect(claim.mayCall()).toBe(false)
    await until('it comes again', () => one.names().includes('T1'))
    expect(one.left).toEqual([claim])
  },
)

test.concurrent('of one that is killed, others have all', async ({onTestFinished: onEnd}) => {
  const url = await temporaryPostgres(onEnd)
  const names = teams(12)
  const one = await startOwnership(url, {onEnd})
  const killed = await startProcess(url, {onEnd})
  await one.ownership.offer(names)
  await until('both have their share', () => killed.held().length === 6 && one.names().length === 6)
  killed.child.kill('SIGKILL')
  await settled([one], names, [12])
  await until('it counts no more', () => one.ownership.instances() === 1)
})

test.concurrent(
  'one that was stopped may do nothing once it goes on, and learns that it has lost',
  async ({onTestFinished: onEnd}) => {
    const url = await temporaryPostgres(onEnd)
    const names = teams(12)
    const one = await startOwnership(url, {onEnd})
    const stopped = await startProcess(url, {onEnd})
    await one.ownership.offer(names)
    await until(
      'both have their share',
      () => stopped.held().length === 6 && one.names().length === 6,
    )
    const before = await epochs(url)
    const theirs = stopped.held()
    stopped.child.kill('SIGSTOP')
    await settled([one], names, [12])
    const after = await epochs(url)
    expect(theirs.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0))).toEqual(
      theirs.map(() => 1),
    )
    stopped.child.kill('SIGCONT')
    const woken = await until('it goes on', () => stopped.said.find(({word}) => word === 'woken'))
    expect(woken.may).toBe(0)
    await until('it knows', () =>
      theirs.every((lost) =>
        stopped.said.some(
          ({word, name, epoch}) => word === 'over' && name === lost && epoch === before.get(lost),
        ),
      ),
    )
    // And it is one of two again.
    await until(
      'both have their share',
      () => stopped.held().length === 6 && one.names().length === 6,
    )
  },
)

test.concurrent(
  'of one name two never may call at a time, whatever becomes of connections and instances',
  async ({onTestFinished: onEnd}) => {
    const url = await temporaryPostgres(onEnd)
    const names = teams(9)
    const living = [
      await startOwnership(url, {onEnd}),
      await startOwnership(url, {onEnd}),
      await startOwnership(url, {onEnd}),
    ]
    await living[0]?.ownership.offer(names)
    const twice: string[] = []
    const watch = setInterval(() => {
      const now = living.flatMap((one) => one.names())
      twice.push(...now.filter((name, index) => now.indexOf(name) !== index))
    }, 5)
    try {
      for (let turn = 0; turn < 8; turn += 1) {
        await onServer(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'bosun ownership' and random() < 0.6`,
          url,
        )
        if (turn % 2 === 0) living.push(await startOwnership(url, {onEnd}))
        else await living[turn >> 1]?.end()
        const at = living.length
        await until('nobody rests', () => all(living).length > 0 && living.length === at)
        const some = living.at(-1)
        const [name = 'T000'] = some?.names() ?? []
        if (turn % 3 === 0) {
          await some?.ownership.withdraw(name).catch(() => undefined)
          await some?.ownership.offer([name]).catch(() => undefined)
        }
      }
      await living.at(-1)?.ownership.offer(names)
      await until('all is somebody’s', () => all(living).join() === names.join(), {
        withinMs: 60_000,
        tell: () => all(living).join(),
      })
    } finally {
      clearInterval(watch)
    }
    expect(twice).toEqual([])
  },
)
