import {chatMethods} from './chat.ts'
import {conversationsMethods} from './conversations.ts'
import type {Method} from './method.ts'
import {peopleMethods} from './people.ts'
import {reactionsMethods} from './reactions.ts'

/** Every method that the local Slack knows; all others are an `unknown_method`. */
export function methodTable(): Map<string, Method> {
  return new Map(
    Object.entries({
      ...chatMethods,
      ...conversationsMethods,
      ...peopleMethods,
      ...reactionsMethods,
    }),
  )
}
