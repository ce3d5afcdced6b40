import {type PlatformClient, createPlatformClient} from '../platform/client.ts'
import {PlatformUnauthorized} from '../platform/errors.ts'
import {follow} from '../platform/stream.ts'
import type {Transport} from '../platform/transport.ts'
import type {Secret} from '../security/secret.ts'
import {systemClock} from './clock.ts'
import type {Follow} from './following.ts'
import type {Log} from './ports.ts'
import {createSharedStreams} from './shared-streams.ts'

/** The platform as links reach it. */
interface Connection {
  /** @throws {PlatformUnauthorized} where no key is set. */
  clientOf: () => PlatformClient
  follow: Follow
}

/** The platform with the default key: the connection of every link so far. */
export function createConnection({
  apiKey,
  transport,
  log,
}: {
  apiKey: Secret | undefined
  transport: Transport
  log: Log
}): Connection {
  const client = apiKey && createPlatformClient({transport, apiKey})

  const clientOf = (): PlatformClient => {
    if (client === undefined) throw new PlatformUnauthorized('PLATFORM_API_KEY is not set')
    return client
  }

  const open = (
    of: {threadId: string} | {taskId: string},
    cursor: string | undefined,
    signal: AbortSignal,
  ): ReturnType<typeof follow> => {
    if (apiKey === undefined) throw new PlatformUnauthorized('PLATFORM_API_KEY is not set')
    return follow({
      ...{transport, apiKey, client: clientOf(), ...of, after: cursor, signal},
      onTrouble: (error, waitMs) =>
        log.info({...of, waitMs, why: error.message}, 'A stream broke; resuming'),
    })
  }

  const threads = createSharedStreams({
    open: ({threadId, cursor}, signal) => open({threadId}, cursor, signal),
    list: ({threadId, cursor}, signal) => clientOf().listMessages(threadId, cursor, signal),
    clock: systemClock,
  })
  const tasks = createSharedStreams({
    open: ({threadId: taskId, cursor}, signal) => open({taskId}, cursor, signal),
    list: ({threadId: taskId, cursor}, signal) =>
      clientOf().listTaskMessages(taskId, cursor, signal),
    clock: systemClock,
  })
  return {
    clientOf,
    follow: ({threadId, taskId, cursor}, signal) =>
      taskId === undefined
        ? threads.follow({threadId, cursor}, signal)
        : tasks.follow({threadId: taskId, cursor}, signal),
  }
}
