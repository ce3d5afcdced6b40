import type {Channel} from './workspace.ts'

/** The word of Slack for what an admin has closed; `undefined`: everybody may write there. */
export function restrictionOf(
  {posting, lockedThreads = []}: Channel,
  threadTs: string | undefined,
): string | undefined {
  const isReply = threadTs !== undefined
  if (posting === 'admins') return 'restricted_action'
  if (posting === 'read_only') return 'restricted_action_read_only_channel'
  if (posting === 'threads_only' && !isReply) return 'restricted_action_thread_only_channel'
  if (posting === 'no_threads' && isReply) return 'restricted_action_non_threadable_channel'
  if (isReply && lockedThreads.includes(threadTs)) return 'restricted_action_thread_locked'
  return undefined
}
