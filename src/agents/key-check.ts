import type {PlatformClient} from '../platform/client.ts'
import {
  PlatformError,
  PlatformForbidden,
  PlatformRateLimited,
  PlatformUnauthorized,
  PlatformUnreachable,
  reasonOf,
} from '../platform/errors.ts'
import type {Project} from '../platform/model.ts'

/** What a key reaches, or why it is of no use; `detail`: the platform's words, or seconds to wait. */
export type KeyCheck =
  | {outcome: 'good'; projects: readonly Project[]}
  | {
      outcome: 'bad'
      why: 'refused' | 'no-projects' | 'unreachable' | 'busy' | 'declined'
      detail: string
    }

/** Somebody waits in front of a form. */
const WITHIN_MS = 15_000

/** Asks the platform for the projects of a key. */
export async function checkKey(client: PlatformClient, signal: AbortSignal): Promise<KeyCheck> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)])
  try {
    const projects = await client.listProjects(enough)
    return projects.length === 0 ? bad('no-projects') : {outcome: 'good', projects}
  } catch (error) {
    signal.throwIfAborted()
    if (enough.aborted || error instanceof PlatformUnreachable) return bad('unreachable')
    if (!(error instanceof PlatformError)) throw error
    if (error instanceof PlatformUnauthorized) return bad('refused')
    if (error instanceof PlatformForbidden) return bad('no-projects')
    if (error instanceof PlatformRateLimited) {
      return bad('busy', String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))))
    }
    return bad('declined', reasonOf(error))
  }
}

function bad(why: (KeyCheck & {outcome: 'bad'})['why'], detail = ''): KeyCheck {
  return {outcome: 'bad', why, detail}
}
