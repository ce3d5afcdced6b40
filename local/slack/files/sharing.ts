import type {Changes} from '../workspace/changes.ts'
import type {Conversation} from '../messages/conversation.ts'
import type {Files, StoredFile} from './files.ts'
import type {StoredMessage} from '../messages/messages.ts'

/** How files come into conversations, and go. */
export interface FileSharing {
  /** Posts the message that carries the files. */
  share(files: StoredFile[], draft: Parameters<Conversation['post']>[0]): StoredMessage
  /** Its bytes stay in the data file, out of reach: messages show that it was deleted. */
  remove(file: StoredFile): void
}

interface FileSharingParts {
  files: Files
  conversation: Conversation
  changes: Changes
}

export function createFileSharing({files, conversation, changes}: FileSharingParts): FileSharing {
  return {
    share: (shared, draft) => {
      // Before the post, whose event shows the files as they are.
      for (const file of shared) {
        const known = files.find(file.id) ?? file
        files.save({...known, title: file.title, state: 'complete'})
      }
      const message = conversation.post({...draft, fileIds: shared.map(({id}) => id)})
      const {channel, ts, threadTs} = message
      for (const file of shared) {
        const share = {channel, ts, ...(threadTs === undefined ? {} : {threadTs})}
        const known = files.find(file.id) ?? file // a file of several channels has grown since
        const saved: StoredFile = {...known, shares: [...known.shares, share]}
        files.save(saved)
        changes.publish({type: 'file_shared', file: saved, channel})
      }
      return message
    },
    remove: (file) => {
      const deleted: StoredFile = {...file, state: 'deleted'}
      files.save(deleted)
      changes.publish({type: 'file_deleted', file: deleted})
    },
  }
}
