import type {Log} from '../relay/ports.ts'
import type {HandoverStore} from '../store/tables/handovers.ts'
import {createPoller} from '../async/poller.ts'
import type {LateCalls} from '../slack/api/late-calls.ts'
import type {WebClient} from '@slack/web-api'

interface ConfessionsOptions {
  team: string
  handovers: HandoverStore
  lateCalls: LateCalls
  client: WebClient
  log: Log
}

const RETRY_MS = 2000

/** What earlier owners of a workspace have done too late comes to nothing: each once, and again until it has. */
export function createConfessions(options: ConfessionsOptions) {
  const {team, handovers, lateCalls, client, log} = options
  return createPoller({
    look: async () => {
      for (const {id, call} of await handovers.confessions(team)) {
        await lateCalls.heed(call, {client, isKnown: () => handovers.isKept(team, call)})
        log.info({team, ...call}, 'What was done too late comes to nothing')
        await handovers.absolve(team, id)
      }
      return undefined
    },
    onFailure: (error) =>
      log.warn({err: error, team}, 'What was done too late could not be undone yet'),
    retryMs: RETRY_MS,
  })
}
