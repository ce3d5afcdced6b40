import {acceptBlocks, textOfBlocks} from '../blocks/blocks.ts'
import type {Conversation} from '../messages/conversation.ts'
import type {Messages, StoredMessage} from '../messages/messages.ts'
import type {Changes} from '../workspace/changes.ts'
import type {Member, Roster} from '../workspace/workspace.ts'
import {toHandle} from '../workspace/seed.ts'
import {requireChannel} from './require.ts'

interface Said {
  text: string
  blocks?: unknown[]
  attachments?: unknown[]
}

/** What apps write that are not among those whose API is called here: alerts, builds, other bots. */
export interface AppPosting {
  /** The first time, the app comes into the workspace. `username`: under another name, as incoming webhooks have it. */
  postAsApp(
    post: Said & {
      appId: string
      name: string
      channel: string
      threadTs?: string
      broadcast?: boolean
      username?: string
    },
  ): Promise<StoredMessage>
  /** One of its own, whichever app wrote it. */
  editAsApp(edit: Said & {channel: string; ts: string}): Promise<StoredMessage>
}

interface AppPostingParts {
  roster: Roster
  messages: Messages
  conversation: Conversation
  changes: Changes
}

export function createAppPosting(parts: AppPostingParts): AppPosting {
  const {roster, messages, conversation} = parts
  return {
    postAsApp: async ({appId, name, channel, threadTs, broadcast, username, ...said}) => {
      const place = requireChannel(roster, channel)
      if (place.archived) throw new Error(`${channel} is archived: nobody can write there.`)
      const {botId, userId} = bring(parts, appId, name)
      return conversation.post({
        ...{channel, botId, userId, ...contentOf(said)},
        ...(threadTs !== undefined && {threadTs}),
        ...(threadTs !== undefined && broadcast === true && {isBroadcast: true}),
        ...(username !== undefined && {persona: {username}}),
      })
    },
    editAsApp: async ({channel, ts, ...said}) => {
      const message = messages.find(channel, ts)
      if (message?.botId === undefined) throw new Error(`No app wrote ${ts} in ${channel}.`)
      const content = contentOf(said)
      const hasLabel = content.blocks === undefined
      return conversation.edit(message, {content, by: message.userId, hasLabel})
    },
  }
}

function contentOf({text, blocks, attachments}: Said) {
  const drawn = blocks === undefined ? undefined : acceptBlocks(blocks)
  return {
    text: text === '' && drawn !== undefined ? textOfBlocks(drawn) : text,
    ...(drawn !== undefined && {blocks: drawn}),
    ...(attachments !== undefined && {attachments}),
  }
}

/** It has a bot user from then on. */
function bring({roster, changes}: AppPostingParts, id: string, name: string) {
  const known = roster.apps().find((app) => app.id === id)
  if (known !== undefined) return known
  const app = {id, name, botId: `B${id.slice(1)}`, userId: `U${id.slice(1)}`}
  roster.saveApp(app)
  const member: Member = {
    ...{id: app.userId, name: toHandle(name), realName: name, displayName: name, email: ''},
    ...{tz: 'Etc/UTC', tzOffsetS: 0, isBot: true, isAdmin: false},
  }
  roster.saveMember(member)
  changes.publish({type: 'member_added', member})
  return app
}
