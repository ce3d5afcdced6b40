import {isWorking} from './model.ts'

/**
 * The status that people are to read. A thread at rest, or one that waits, may need somebody under any other status
 * (`needsYou`, section 2.1).
 */
export function shownStatus<Status extends string | undefined>({
  status,
  needsYou,
}: {
  status: Status
  needsYou: boolean
}): Status | 'pending_user' {
  if (!needsYou || status === undefined || status === 'archived') return status
  return status === 'waiting' || !isWorking(status) ? 'pending_user' : status
}
