import type {StoredFile} from '../files/files.ts'
import type {StoredMessage} from '../messages/messages.ts'
import type {Usergroup} from './usergroups.ts'
import type {Channel, Member} from './workspace.ts'

/** What happened to channels, members, user groups and files. */
export type WorkspaceChange =
  | {type: 'channel_created' | 'channel_renamed'; channel: Channel}
  | {type: 'channel_archived' | 'channel_unarchived'; channel: Channel; actorId: string}
  | {type: 'code_channel_changed'; channel: Channel}
  | {type: 'channel_connected' | 'channel_disconnected'; channel: Channel; teamId: string}
  | {type: 'member_joined'; channel: Channel; userId: string; inviterId?: string}
  | {type: 'member_left'; channel: Channel; userId: string; actorId: string}
  | {type: 'member_added' | 'member_changed'; member: Member}
  | {type: 'usergroup_created' | 'usergroup_updated'; usergroup: Usergroup}
  | {type: 'file_shared'; file: StoredFile; channel: string}
  | {type: 'file_deleted'; file: StoredFile}

/** What happened in the workspace, in the past tense; the app and the page are told about it. */
export type Change =
  | {type: 'posted'; message: StoredMessage}
  | {type: 'edited'; message: StoredMessage; previous: StoredMessage}
  /** `isTombstone`: replies still hang on it, so that Slack keeps its place. */
  | {type: 'removed'; message: StoredMessage; isTombstone: boolean}
  | {
      type: 'reacted'
      verb: 'added' | 'removed'
      message: StoredMessage
      userId: string
      name: string
    }
  /** A modal or the App Home of a member shows something else. */
  | {type: 'view_shown'; userId: string}
  /** `userId`: the bot's. */
  | {type: 'app_installed'; userId: string}
  | {type: 'agent_thread_changed'; channel: string; threadTs: string}
  | WorkspaceChange

export interface Changes {
  publish(change: Change): void
  subscribe(listener: (change: Change) => void): () => void
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>()
  return {
    publish: (change) => {
      for (const listener of listeners) listener(change)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
