import {type PlatformClient, createPlatformClient} from '../../platform/client.ts'
import {type PlatformError, PlatformUnauthorized} from '../../platform/errors.ts'
import {follow} from '../../platform/stream/reconnecting.ts'
import type {Transport} from '../../platform/transport.ts'
import type {Secret} from '../../security/secret.ts'
import {systemClock} from '../../async/clock.ts'
import type {Follow} from '../stream-following.ts'
import type {Log} from '../ports.ts'
import {createSharedStreams} from './shared-streams.ts'
import {type TimeSlices, createTimeSlices, inSlices} from '../../async/time-slices.ts'

/** Anything that belongs to a connection: a link, a watch, a channel's settings. */
interface Connected {
  /** `undefined`: the one of the environment. */
  connectionId: string | undefined
}

/** The platform, as each connection reaches it. */
export interface Connections {
  /** With a key that is nobody's yet. Somebody waits for the answer, so nothing is asked twice. */
  clientWith: (apiKey: Secret) => PlatformClient
  /** @throws {PlatformUnauthorized} where there is no key. */
  clientOf: (of: Connected) => PlatformClient
  /** The same, for who may call for now only: what would change something too late does not go out. */
  clientsWhile: (mayCall: () => boolean) => Connections['clientOf']
  follow: Follow
  /** How many streams there are now. */
  openStreams(): number
  /** How many of them are broken, and to be opened again. */
  brokenStreams(): number
}

/**
 * Clients and streams by the key that is valid now: whoever asks after a key was replaced works with the new one. Links
 * of one thread share a stream if they share a connection.
 */
export function createConnections({
  keyOf,
  transport,
  onKey,
  onBreak,
  log,
  turns = createTimeSlices(),
}: {
  keyOf: (of: Connected) => Secret | undefined
  /** What the platform makes of a connection's key now; told at every answer. */
  onKey?: (of: Connected, verdict: 'taken' | 'refused') => void
  transport: Transport
  /** A stream broke. */
  onBreak?: (error: PlatformError) => void
  log: Log
  /** What all streams share. */
  turns?: TimeSlices
}): Connections {
  /** Finds the client of a connection, for who may call always, or for now. */
  const reachWhile = (mayCall?: () => boolean) => {
    const clients = new Map<string | undefined, {apiKey: Secret; client: PlatformClient}>()
    return ({connectionId}: Connected): {apiKey: Secret; client: PlatformClient} => {
      const apiKey = keyOf({connectionId})
      if (apiKey === undefined) throw new PlatformUnauthorized('there is no key')
      const known = clients.get(connectionId)
      if (known?.apiKey === apiKey) return known
      const heeded = heeding({connectionId}, apiKey, mayCall)
      const made = {apiKey, client: createPlatformClient({transport: heeded, apiKey})}
      clients.set(connectionId, made)
      return made
    }
  }
  const reach = reachWhile()
  const clientOf: Connections['clientOf'] = (of) => reach(of).client

  /** A late answer to a key that has been replaced says nothing of the one that is valid now. */
  const tell = (of: Connected, apiKey: Secret, verdict: 'taken' | 'refused'): void => {
    if (keyOf(of) === apiKey) onKey?.(of, verdict)
  }

  /** The way to the platform, of which it is heard what becomes of the key. */
  const heeding = (of: Connected, apiKey: Secret, mayCall?: () => boolean): Transport => {
    const fence = mayCall && {mayCall}
    const heed = async <Answer>(asking: Promise<Answer>): Promise<Answer> => {
      try {
        const answer = await asking
        tell(of, apiKey, 'taken')
        return answer
      } catch (error) {
        if (error instanceof PlatformUnauthorized) tell(of, apiKey, 'refused')
        throw error
      }
    }
    return {
      // A 401 may be about the token that is asked about: whoever sends one says nothing of our key.
      json: (request) => {
        const answer = transport.json(request.method === 'GET' ? request : {...request, ...fence})
        return request.path.startsWith('/sessions/') ? answer : heed(answer)
      },
      events: (request) => heed(transport.events(request)),
      [Symbol.asyncDispose]: async () => undefined,
    }
  }

  let broken = 0

  const streamsOf = (connected: Connected) => {
    /** A stream outlives its key: where that has been replaced meanwhile, it goes on with the new one. */
    async function* open(
      of: {threadId: string} | {taskId: string},
      cursor: string | undefined,
      signal: AbortSignal,
    ): ReturnType<typeof follow> {
      let after = cursor
      let isBroken = false
      const note = (now: boolean): void => {
        if (now !== isBroken) broken += now ? 1 : -1
        isBroken = now
      }
      for (;;) {
        const {apiKey, client} = reach(connected)
        try {
          const frames = follow({
            transport,
            apiKey,
            client,
            ...of,
            after,
            signal,
            turns,
            onTrouble: (error, waitMs) => {
              note(true)
              onBreak?.(error)
              log.info({...of, waitMs, err: error}, 'A stream broke; resuming')
            },
          })
          for await (const frame of frames) {
            if (frame.type === 'connected') note(false)
            if (frame.type === 'transcript') after = frame.cursor ?? after
            if (frame.type === 'rewound') after = undefined
            yield frame
          }
          return
        } catch (error) {
          if (!(error instanceof PlatformUnauthorized)) throw error
          const key = keyOf(connected)
          if (key === undefined || key === apiKey) {
            tell(connected, apiKey, 'refused')
            throw error
          }
        } finally {
          note(false)
        }
      }
    }
    return {
      threads: createSharedStreams({
        open: ({threadId, cursor}, signal) => open({threadId}, cursor, signal),
        list: ({threadId, cursor}, signal) =>
          clientOf(connected).listMessages(threadId, cursor, signal),
        clock: systemClock,
      }),
      tasks: createSharedStreams({
        open: ({threadId: taskId, cursor}, signal) => open({taskId}, cursor, signal),
        list: ({threadId: taskId, cursor}, signal) =>
          clientOf(connected).listTaskMessages(taskId, cursor, signal),
        clock: systemClock,
      }),
    }
  }

  const streams = new Map<string | undefined, ReturnType<typeof streamsOf>>()
  return {
    clientWith: (apiKey) => createPlatformClient({transport, apiKey, retries: 0}),
    clientOf,
    clientsWhile: (mayCall) => {
      const reachNow = reachWhile(mayCall)
      return (of) => reachNow(of).client
    },
    brokenStreams: () => broken,
    openStreams: () =>
      [...streams.values()].reduce(
        (sum, {threads, tasks}) => sum + threads.count() + tasks.count(),
        0,
      ),
    follow: ({connectionId, threadId, taskId, cursor}, signal) => {
      const known = streams.get(connectionId) ?? streamsOf({connectionId})
      streams.set(connectionId, known)
      const frames =
        taskId === undefined
          ? known.threads.follow({threadId, cursor}, signal)
          : known.tasks.follow({threadId: taskId, cursor}, signal)
      return inSlices(frames, turns, signal)
    },
  }
}
