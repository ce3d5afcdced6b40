import type {Effective} from '../../agents/channel-settings.ts'
import {throwIfPassing, toDeclined} from '../../agents/lifecycle.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import {declinedMessage} from '../draw/declined.ts'
import type {ActResult} from './act.ts'
import type {Tools} from './tools.ts'

/** What the platform declines is told; what passes by itself is tried again. */
export async function telling(ask: () => Promise<ActResult>): Promise<ActResult> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    return {answer: declinedMessage(toDeclined(error)), again: true}
  }
}

/** Asks the platform with the key of a channel; a channel that has none hears how it gets one. */
export function createAsking({
  settingsOf,
  clientOf,
  unconnected,
}: Pick<Tools, 'clientOf' | 'unconnected' | 'settingsOf'>) {
  return (
    {team, channel, user}: {team: string; channel?: string | undefined; user: string},
    ask: (client: PlatformClient, values: Effective['values']) => Promise<ActResult>,
  ): Promise<ActResult> =>
    telling(async () => {
      const {isConnected, values} = await settingsOf(team, channel)
      if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
      return ask(clientOf(values), values)
    })
}
