import {createKeyedQueue} from '../../async/keyed-queue.ts'
import type {Owner, Ownership} from './ownership.ts'
import {type Tenure, beginTenure} from './tenure.ts'

/** For a database that one instance has for itself: it owns whatever is offered. */
export function createAlone(failed: (error: unknown) => void): Ownership {
  const inOrder = createKeyedQueue()
  /** What has no tenure yet waits for an owner. */
  const offered = new Map<string, Tenure | undefined>()
  let owner: Owner | undefined

  const take = (name: string): void => {
    if (owner === undefined || offered.get(name) !== undefined) return
    const always = {isInTime: () => true, onRefused: () => undefined}
    offered.set(name, beginTenure({name, epoch: 0, owner, inOrder, failed, ...always}))
  }
  const tenures = () => [...offered.values()].filter((one) => one !== undefined)

  return {
    isShared: false,
    offer: async (names) => {
      for (const name of names) {
        if (!offered.has(name)) offered.set(name, undefined)
        take(name)
      }
    },
    withdraw: async (name) => {
      const tenure = offered.get(name)
      await tenure?.leave()
      // Somebody may have offered it again meanwhile.
      if (offered.get(name) === tenure) offered.delete(name)
    },
    begin: (given) => {
      owner = given
      for (const name of offered.keys()) take(name)
    },
    claims: () => tenures().map(({claim}) => claim),
    // There is nobody else who could have it.
    lost: () => undefined,
    instances: () => 1,
    [Symbol.asyncDispose]: async () => {
      owner = undefined
      await Promise.all(tenures().map((one) => one.leave()))
      offered.clear()
    },
  }
}
