import type {StoredMessage} from '../messages/messages.ts'
import type {Form} from './entry.ts'
import {startValues, type ViewValues} from './views.ts'

/**
 * What stands in the elements of messages, for each member alone. Slack keeps it as long as a message
 * is looked at: here it is until the end of the process.
 */
export interface MessageForms {
  of(userId: string, message: StoredMessage): Form
  keep(form: Form, message: StoredMessage): void
}

export function createMessageForms(): MessageForms {
  const kept = new Map<string, ViewValues>()
  const keyOf = (userId: string, {channel, ts}: StoredMessage): string =>
    JSON.stringify([userId, channel, ts])
  return {
    of: (userId, message) => {
      const definition = {blocks: message.blocks ?? []}
      const values = startValues(definition, kept.get(keyOf(userId, message)))
      return {id: message.ts, userId, definition, values}
    },
    keep: ({userId, values}, message) => void kept.set(keyOf(userId, message), values),
  }
}
