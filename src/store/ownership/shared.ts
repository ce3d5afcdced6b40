import {pause} from '../../async/pause.ts'
import {createComplaints} from './complaints.ts'
import {createMember, createVisitor, prepareEngine} from './engine.ts'
import {createHoldings} from './holdings.ts'
import type {Owner, Ownership} from './ownership.ts'
import {createPool} from './pool.ts'
import {createQueue} from './queue.ts'
import {createRounds} from './rounds.ts'

/** Of the three seconds that a stop may take, for what the owner does; whoever takes longer keeps the name until it is over. */
const LEAVE_WITHIN_MS = 2000
const END_WITHIN_MS = 800

interface SharedOptions {
  url: string
  instance: string
  tell: (line: string) => void
}

/** @throws {StoreError} as {@link prepareEngine} says. */
export async function openShared({url, instance, tell}: SharedOptions): Promise<Ownership> {
  await prepareEngine(url)
  const failed = createComplaints(tell)
  const pool = createPool(url, failed)
  const visitor = createVisitor(pool, failed)
  try {
    await visitor.start()
  } catch (error) {
    await pool.end()
    throw error
  }
  const member = createMember(pool, instance, failed)
  const queue = createQueue(visitor)
  const holdings = createHoldings({pool, queue, instance, failed})
  const rounds = createRounds({pool, member, holdings, instance, failed})
  let owner: Owner | undefined

  return {
    isShared: true,
    offer: async (names) => {
      await queue.add(names)
      rounds.wake()
    },
    withdraw: holdings.withdraw,
    begin: (given) => {
      if (owner !== undefined) throw new Error('An ownership begins once')
      owner = given
      rounds.begin(given)
    },
    claims: holdings.claims,
    lost: holdings.lost,
    instances: rounds.instances,
    [Symbol.asyncDispose]: async () => {
      const ended = rounds.end()
      await within(LEAVE_WITHIN_MS, holdings.giveBackAll())
      holdings.loseAll('this instance has stopped')
      // What is on its way back arrives first: else it would fall silent.
      const returned = holdings.returned().then(() => ended)
      await within(
        END_WITHIN_MS,
        returned.then(() => visitor.stop({graceful: false})),
      )
      await within(END_WITHIN_MS, pool.end())
    },
  }
}

/** Waits for it, and not for longer: a server that does not answer must not keep the process from ending. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const settled = work.catch(() => undefined).finally(() => done.abort())
  await Promise.race([settled, pause(ms, done.signal)])
}
