/** What says more than that somebody is needed, in both vocabularies (section 3.1). */
export const ABOVE_NEED: readonly string[] = [
  ...['archived', 'failed', 'error'],
  ...['pending_user', 'ready_for_review'],
]

/**
 * The status that people are to read, of all that a thread says of itself (section 2.1): archived, failed, a question,
 * ready for review, then `needsYou` beside anything that says less, and only then that it waits, works or rests. Whatever
 * shows or counts work asks here.
 */
export function shownStatus<Status extends string | undefined>({
  status,
  needsYou = false,
  archived = false,
}: {
  status: Status
  needsYou?: boolean | undefined
  archived?: boolean
}): Status | 'pending_user' | 'archived' {
  if (archived) return 'archived'
  return needsYou && !ABOVE_NEED.includes(status ?? '') ? 'pending_user' : status
}
