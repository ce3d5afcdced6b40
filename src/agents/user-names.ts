import type {PlatformClient} from '../platform/client.ts'
import {PlatformError} from '../platform/errors.ts'

const KEEP_MS = 3_600_000
/** Somebody may have joined since; and what could not be read is asked for again. */
const AGAIN_MS = 300_000

type NameOf = (userId: string, signal: AbortSignal) => Promise<string | undefined>

interface UserNamesOptions {
  clientOf: (of: Connected) => Pick<PlatformClient, 'listUsers'>
  nowMs: () => number
}

/** With whose key the organization is asked. */
interface Connected {
  connectionId: string | undefined
}

/** Names of the members of organizations, for each key; `undefined` where there is none to be had. */
export type UserNames = (of: Connected) => NameOf

export function createUserNames({clientOf, nowMs}: UserNamesOptions): UserNames {
  const known = new Map<string | undefined, NameOf>()
  return ({connectionId}) => {
    const nameOf = known.get(connectionId) ?? createNameOf(() => clientOf({connectionId}), nowMs)
    known.set(connectionId, nameOf)
    return nameOf
  }
}

/** All of an organization are read at once, and remembered for an hour. */
function createNameOf(
  client: () => Pick<PlatformClient, 'listUsers'>,
  nowMs: () => number,
): NameOf {
  let names = new Map<string, string>()
  let readAtMs = -Infinity
  let reading: Promise<void> | undefined

  const load = async (signal: AbortSignal): Promise<void> => {
    readAtMs = nowMs()
    try {
      const users = await client().listUsers(signal)
      // An e-mail is no name: not everybody may read it.
      const named = users.map(
        ({id, firstName = '', lastName = ''}) => [id, `${firstName} ${lastName}`.trim()] as const,
      )
      names = new Map(named.filter(([, name]) => name !== ''))
    } catch (error) {
      // A state without a name is no reason to keep quiet about it.
      if (!(error instanceof PlatformError)) throw error
    }
  }

  return async (userId, signal) => {
    const isOld = nowMs() - readAtMs > (names.has(userId) ? KEEP_MS : AGAIN_MS)
    if (isOld) reading ??= load(signal).finally(() => (reading = undefined))
    await reading
    return names.get(userId)
  }
}
