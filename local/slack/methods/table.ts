import {agentMethods} from './agents.ts'
import {appsMethods} from './apps.ts'
import {channelsMethods} from './channels.ts'
import {chatMethods} from './chat.ts'
import {conversationsMethods} from './conversations.ts'
import {filesMethods} from './files.ts'
import type {Method} from './method.ts'
import {reactionsMethods} from './reactions.ts'
import {viewsMethods} from './views.ts'
import {streamMethods} from './streams.ts'
import {usergroupsMethods} from './usergroups.ts'
import {usersMethods} from './users.ts'

/** Every method that the local Slack knows; all others are an `unknown_method`. */
export function methodTable(): Map<string, Method> {
  return new Map(
    Object.entries({
      ...agentMethods,
      ...appsMethods,
      ...channelsMethods,
      ...chatMethods,
      ...conversationsMethods,
      ...filesMethods,
      ...reactionsMethods,
      ...viewsMethods,
      ...usergroupsMethods,
      ...usersMethods,
      ...streamMethods,
    }),
  )
}
