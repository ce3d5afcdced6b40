import type {MessageView} from '../../page-feed/contract.ts'

/** Whether a message shows the same of its thread: who answered and when, but not what. */
export function isSameThread(
  old: readonly MessageView[] = [],
  now: readonly MessageView[] = [],
): boolean {
  return (
    old.length === now.length &&
    old.every((reply, index) => {
      const other = now[index]
      return reply === other || (reply.ts === other?.ts && reply.userId === other.userId)
    })
  )
}
