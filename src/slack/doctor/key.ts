import type {PlatformClient} from '../../platform/client.ts'
import {
  PlatformError,
  PlatformUnauthorized,
  PlatformUnreachable,
  reasonOf,
} from '../../platform/errors.ts'
import {texts} from '../texts.ts'
import type {Finding} from './finding.ts'

const WITHIN_MS = 8000

/** Whether the agent platform takes a key now. `fix`: what to do where it does not. */
export async function askPlatform(
  {name, fix}: {name: string; fix: string},
  clientOf: () => Pick<PlatformClient, 'listProjects'>,
): Promise<Finding> {
  const {key} = texts.doctor
  const signal = AbortSignal.timeout(WITHIN_MS)
  try {
    const {length} = await clientOf().listProjects(signal)
    if (length > 0) return {name, state: 'well', says: key.well(length)}
    return {name, state: 'wrong', says: key.noProject, fix: key.noProjectFix}
  } catch (error) {
    if (error instanceof PlatformUnauthorized) {
      return {name, state: 'wrong', says: key.refused, fix}
    }
    if (!(error instanceof PlatformError) && !signal.aborted) throw error
    const isAnswer = error instanceof PlatformError && !(error instanceof PlatformUnreachable)
    const why = isAnswer ? reasonOf(error) : 'no answer in time'
    return {name, state: 'wrong', says: key.silent(why), fix: key.silentFix}
  }
}
