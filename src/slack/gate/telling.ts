import type {SettingsOf} from '../../agents/settings.ts'
import {throwIfPassing, toDeclined} from '../../agents/work.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import {declinedMessage} from '../draw/declined-message.ts'
import type {Door} from '../tell/unbound.ts'
import type {Outcome} from './act.ts'

/** What the platform declines is told; what passes by itself is tried again. */
export async function telling(ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    return {answer: declinedMessage(toDeclined(error)), again: true}
  }
}

/** What acts need that ask the platform with the key of a channel. */
export interface AskingOptions {
  settingsOf: SettingsOf
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  door: Door
}

/** Asks the platform with the key of a channel; a channel that has none hears how it gets one. */
export function createAsking({settingsOf, clientOf, door}: AskingOptions) {
  return (
    {team, channel, user}: {team: string; channel?: string | undefined; user: string},
    ask: (client: PlatformClient, projectId: string | undefined) => Promise<Outcome>,
  ): Promise<Outcome> =>
    telling(async () => {
      const {isConnected, values} = await settingsOf(team, channel)
      if (!isConnected) return {answer: await door.unbound(user, 'key')}
      return ask(clientOf(values), values.projectId)
    })
}
