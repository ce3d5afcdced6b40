import type {WebClient} from '@slack/web-api'
import {createPoller} from '../async/poller.ts'
import {SlackError, mayPass} from '../once/slack-error.ts'
import type {Pacer} from '../relay/pace/pacer.ts'
import type {Log} from '../relay/ports.ts'
import type {LateCalls} from '../slack/api/late-calls.ts'
import {paced} from '../slack/api/paced.ts'
import {callSlack} from '../slack/api/slack-client.ts'
import type {HandoverStore} from '../store/tables/handovers.ts'

interface ConfessionsOptions {
  team: string
  handovers: HandoverStore
  lateCalls: Pick<LateCalls, 'heed'>
  client: WebClient
  pacer: Pacer
  log: Log
}

const RETRY_MS = 2000

/**
 * What earlier owners of a workspace have done too late comes to nothing: each once, and again until it has, or until
 * Slack says that it never will.
 */
export function createConfessions(options: ConfessionsOptions) {
  const {team, handovers, lateCalls, client, pacer, log} = options

  return createPoller({
    look: async (signal) => {
      let passing: SlackError | undefined
      let laterMs: number | undefined
      for (const {id, call} of await handovers.confessions(team)) {
        const details = {team, ...call}
        // Whoever looks for it just now may have found this one.
        if (call.did === 'made' && (await handovers.isSought(team, call))) {
          laterMs = RETRY_MS
          continue
        }
        try {
          await lateCalls.heed(call, (method, args) => {
            const turn = {pacer, team, channel: call.channel, method, signal}
            // Asked when it is its turn, since whoever looks for it may have found it by then.
            return paced(turn, async () => {
              const isKept = call.did === 'made' && (await handovers.isKept(team, call))
              return isKept ? undefined : callSlack(() => client.apiCall(method, args))
            })
          })
          if (signal.aborted) return undefined
          log.info(details, 'What was done too late comes to nothing')
        } catch (error) {
          if (!(error instanceof SlackError)) throw error
          // The others need not wait for it.
          if (mayPass(error)) {
            passing = error
            continue
          }
          log.warn({err: error, ...details}, 'What was done too late cannot be undone')
        }
        await handovers.absolve(team, id)
      }
      if (passing !== undefined) throw passing
      return laterMs
    },
    onFailure: (error) =>
      log.warn({err: error, team}, 'What was done too late could not be undone yet'),
    retryMs: RETRY_MS,
  })
}
