import {randomUUID} from 'node:crypto'
import {ClearStateStore, InvalidStateError, type StateStore} from '@slack/oauth'
import type {Secret} from '../../security/secret.ts'

const LIFE_SECONDS = 600

/** What a browser brings back from Slack: signed, for ten minutes, each its own, and used once. */
export function createStates(secret: Secret): StateStore {
  const signed = new ClearStateStore(secret.reveal(), LIFE_SECONDS)
  /** When each was used: as long as its signature would hold. */
  const used = new Map<string, number>()

  return {
    generateStateParam: (options, now) =>
      signed.generateStateParam({...options, metadata: randomUUID()}, now),
    verifyStateParam: async (now, state) => {
      const options = await signed.verifyStateParam(now, state)
      for (const [past, atMs] of used) {
        if (now.getTime() - atMs > LIFE_SECONDS * 1000) used.delete(past)
      }
      if (used.has(state)) throw new InvalidStateError('The state was used already')
      used.set(state, now.getTime())
      return options
    },
  }
}
