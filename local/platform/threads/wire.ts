import type {Captains} from '../captains/captains.ts'
import type {Principal} from '../organization/keys.ts'
import type {ThreadRow, Threads} from './threads.ts'
import type {Usage} from '../usage/usage.ts'

/** A thread as section 2.1 shows it to this principal. */
export type ShowThread = (row: ThreadRow, principal: Principal) => Record<string, unknown>

interface WireOptions {
  threads: Threads
  usage: Usage
  captains: Captains
}

export function createShowThread({threads, usage, captains}: WireOptions): ShowThread {
  return (row, principal) => {
    // A service key is nobody: it sees the thread with its author's eyes.
    const viewerId = principal.userId ?? row.authorId
    const captain = captains.find(row.id)
    const participates = viewerId !== null && threads.isParticipant(row.id, viewerId)
    return {
      id: row.id,
      projectId: row.projectId,
      authorId: row.authorId,
      previousAuthorId: row.previousAuthorId,
      title: row.title,
      titleCustom: row.titleCustom === 1,
      status: row.status,
      archived: row.archived === 1,
      lastModelId: row.modelId,
      pullRequestAuthor: null,
      usage: usage.saidOf(row.id),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      lastActivityAt: row.lastActivityAt,
      hasUnreads: false,
      mentionCount: 0,
      owed: row.archived === 0 && row.state === 'pending_user',
      member: participates,
      participated: participates,
      needsYou: threads.needsYou(row),
      ...(row.personal === 1 && {personal: true}),
      ...(captain && {
        captain: {jamId: captain.threadId, name: captain.name, avatar: captain.avatar},
      }),
    }
  }
}
