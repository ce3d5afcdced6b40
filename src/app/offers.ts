import {setImmediate as nextTurn} from 'node:timers/promises'
import {untilDone} from '../async/until-done.ts'
import type {Log} from '../relay/ports.ts'
import type {Ownership} from '../store/ownership/ownership.ts'

interface OffersOptions {
  ownership: Pick<Ownership, 'offer' | 'withdraw'>
  signal: AbortSignal
  log: Log
}

/** The names that somebody is to work for. What the database does not take at once it is told again. */
export function createOffers({ownership, signal, log}: OffersOptions) {
  const wanted = new Set<string>()
  let batch: Set<string> | undefined
  let offering = Promise.resolve()

  const again = (act: () => Promise<void>, what: string): Promise<void> =>
    untilDone(act, {onFailure: (error) => log.warn({err: error}, what), signal})

  /** All of one turn together: there may be a thousand at a start. */
  const all = async (names: readonly string[]): Promise<void> => {
    for (const name of names) wanted.add(name)
    if (batch === undefined) {
      const own = (batch = new Set())
      offering = nextTurn().then(() => {
        batch = undefined
        const offer = () => ownership.offer([...own].filter((name) => wanted.has(name)))
        return again(offer, 'What is to be worked for could not be offered')
      })
    }
    for (const name of names) batch.add(name)
    await offering
  }

  return {
    all,
    add: (name: string) => all([name]),
    /** Nobody is to work for it any more, once what is in hand is put down. */
    remove: async (name: string, putDown: () => Promise<void>): Promise<void> => {
      wanted.delete(name)
      await putDown()
      const withdraw = async (): Promise<void> => {
        if (!wanted.has(name)) await ownership.withdraw(name)
      }
      try {
        await again(withdraw, 'A workspace that is not served any more could not be withdrawn')
        // It may have come back while it went.
        if (wanted.has(name)) await all([name])
      } catch (error) {
        log.error({err: error, name}, 'It could not be given up')
      }
    },
    /** Another instance has withdrawn it. */
    forget: (name: string): void => void wanted.delete(name),
  }
}
