import {throwIfPassing, toDeclined} from '../../inbox/work.ts'
import {PlatformError} from '../../platform/errors.ts'
import {declinedMessage} from '../declined-message.ts'
import type {Outcome} from './act.ts'

/** What the platform declines is told; what passes by itself is tried again. */
export async function telling(ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    return {answer: declinedMessage(toDeclined(error))}
  }
}
