import type {StoredMessage} from './messages.ts'
import type {Channel} from './workspace.ts'

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
  | {type: 'bot_invited' | 'bot_kicked' | 'archived'; channel: Channel}

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
