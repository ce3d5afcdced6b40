import {agentMethods} from './agents.ts'
import {appsMethods} from './apps.ts'
import {channelsMethods} from './channels.ts'
import {canvasesMethods} from './canvases.ts'
import {chatMethods} from './chat.ts'
import {codeChannelMethods} from './code-channels.ts'
import {codeViewMethods} from './code-views.ts'
import {conversationsMethods} from './conversations.ts'
import {filesMethods} from './files.ts'
import {functionsMethods} from './functions.ts'
import {type Method, perChannel} from './method.ts'
import {reactionsMethods} from './reactions.ts'
import {viewsMethods} from './views.ts'
import {streamMethods} from './streams.ts'
import {unfurlMethods} from './unfurls.ts'
import {usergroupsMethods} from './usergroups.ts'
import {usersMethods} from './users.ts'

interface TableOptions {
  liveBurst?: number | undefined
  /** Each channel takes one status line a second, as it takes posts. */
  statusPerChannel?: boolean | undefined
}

/** Every method that the local Slack knows; all others are an `unknown_method`. */
export function methodTable({liveBurst, statusPerChannel = false}: TableOptions = {}): Map<
  string,
  Method
> {
  const table = new Map(
    Object.entries({
      ...agentMethods,
      ...appsMethods,
      ...channelsMethods,
      ...canvasesMethods,
      ...chatMethods,
      ...codeChannelMethods,
      ...codeViewMethods,
      ...conversationsMethods,
      ...filesMethods,
      ...functionsMethods,
      ...reactionsMethods,
      ...viewsMethods,
      ...usergroupsMethods,
      ...usersMethods,
      ...streamMethods,
      ...unfurlMethods,
    }),
  )
  if (liveBurst !== undefined) {
    for (const name of LIVE_METHODS) table.set(name, withBurst(table.get(name), liveBurst))
  }
  if (statusPerChannel) {
    const name = 'assistant.threads.setStatus'
    table.set(name, {...agentMethods[name], channelRate: perChannel} as Method)
  }
  return table
}

/** What makes text grow: how much of it Slack takes at once is what nobody knows. */
const LIVE_METHODS = ['chat.update', 'chat.startStream', 'chat.appendStream', 'chat.stopStream']

function withBurst(method: Method | undefined, burst: number): Method {
  if (method?.rate === undefined) throw new Error('There is no rate to give a burst to.')
  return {...method, rate: {...method.rate, burst}}
}
