import type {Changes} from './changes.ts'
import type {Conversation} from './conversation.ts'
import type {Deliveries} from './deliveries.ts'
import type {Interactions} from './interactions.ts'
import type {Messages, StoredMessage} from './messages.ts'
import {isRecord} from './arguments.ts'
import {respond} from './response-urls.ts'
import type {HandoverAnswer} from './transport.ts'
import type {Channel, Member, Workspace} from './workspace.ts'

type DeliveryOutcome = HandoverAnswer['outcome']

/** What members do in Slack. Each refuses with an error what a person could not do there. */
export interface People {
  /** The text is Slack mrkdwn with Slack's escapes; `@Bosun` becomes a mention. */
  post(post: {as: string; channel: string; text: string; threadTs?: string}): Promise<StoredMessage>
  edit(edit: {as: string; channel: string; ts: string; text: string}): Promise<StoredMessage>
  /** Own messages, and those of the app: workspace settings let members delete them. */
  remove(removal: {as: string; channel: string; ts: string}): Promise<void>
  react(reaction: {as: string; channel: string; ts: string; name: string}): Promise<void>
  unreact(reaction: {as: string; channel: string; ts: string; name: string}): Promise<void>
  /** Resolves when the app has acknowledged, or has not: then a person sees an error. */
  press(press: {
    as: string
    channel: string
    ts: string
    actionId: string
    blockId?: string
    selectedValue?: string
  }): Promise<DeliveryOutcome>
  /** What the app says in its acknowledgement appears as a message. */
  command(command: {
    as: string
    channel: string
    command: string
    text: string
  }): Promise<DeliveryOutcome>
  inviteBot(channel: string): Promise<void>
  kickBot(channel: string): Promise<void>
  archive(channel: string): Promise<void>
}

interface PeopleParts {
  workspace: Workspace
  messages: Messages
  conversation: Conversation
  changes: Changes
  deliveries: Deliveries
  interactions: Interactions
}

export function createPeople(parts: PeopleParts): People {
  return {...createWriting(parts), ...createPressing(parts), ...createChannelWork(parts)}
}

type Writing = Pick<People, 'post' | 'edit' | 'remove' | 'react' | 'unreact'>

function createWriting({workspace, messages, conversation}: PeopleParts): Writing {
  const mention = (text: string): string => text.replace(/@Bosun\b/gi, `<@${workspace.app.userId}>`)
  const seen = ({as, channel, ts}: {as: string; channel: string; ts: string}): StoredMessage => {
    requirePlace(workspace, as, channel)
    return requireMessage(messages, {as, channel, ts})
  }
  return {
    post: async ({as, channel, text, threadTs}) => {
      const place = requirePlace(workspace, as, channel)
      if (place.archived) throw new Error(`${channel} is archived: nobody can write there.`)
      return conversation.post({
        channel,
        userId: as,
        text: mention(text),
        ...(threadTs === undefined ? {} : {threadTs}),
      })
    },
    edit: async ({text, ...target}) => {
      const message = seen(target)
      if (message.userId !== target.as) throw new Error('People can edit their own messages only.')
      return conversation.edit(message, {
        content: {text: mention(text)},
        by: target.as,
        hasLabel: true,
      })
    },
    remove: async (target) => {
      const message = seen(target)
      if (message.userId !== target.as && message.botId === undefined) {
        throw new Error("People can delete their own messages and the app's only.")
      }
      conversation.remove(message)
    },
    react: async ({name, ...target}) => conversation.addReaction(seen(target), target.as, name),
    unreact: async ({name, ...target}) =>
      conversation.removeReaction(seen(target), target.as, name),
  }
}

function createPressing(parts: PeopleParts): Pick<People, 'press' | 'command'> {
  const {workspace, messages, deliveries, interactions} = parts
  return {
    press: async ({as, channel, ts, ...choice}) => {
      requirePlace(workspace, as, channel)
      const message = requireMessage(messages, {as, channel, ts})
      const press = {member: requireMember(workspace, as), message, ...choice}
      const {outcome} = await deliveries.send(interactions.press(press))
      return outcome
    },
    command: async ({as, channel, command, text}) => {
      const place = requirePlace(workspace, as, channel)
      const member = requireMember(workspace, as)
      const payload = interactions.command({member, channel: place, command, text})
      const {outcome, response} = await deliveries.send(payload)
      const hasMessage = isRecord(response) && ('text' in response || 'blocks' in response)
      if (hasMessage) respond(parts, {channel, userId: as}, response)
      return outcome
    },
  }
}

function createChannelWork({
  workspace,
  changes,
}: PeopleParts): Pick<People, 'inviteBot' | 'kickBot' | 'archive'> {
  const {userId} = workspace.app
  const save = (channel: Channel, memberIds: string[]): Channel => {
    const saved = {...channel, memberIds}
    workspace.saveChannel(saved)
    return saved
  }
  return {
    inviteBot: async (id) => {
      const channel = requireChannel(workspace, id)
      if (channel.memberIds.includes(userId)) return
      const saved = save(channel, [...channel.memberIds, userId])
      changes.publish({type: 'bot_invited', channel: saved})
    },
    kickBot: async (id) => {
      const channel = requireChannel(workspace, id)
      const saved = save(
        channel,
        channel.memberIds.filter((member) => member !== userId),
      )
      changes.publish({type: 'bot_kicked', channel: saved})
    },
    archive: async (id) => {
      const channel = {...requireChannel(workspace, id), archived: true}
      workspace.saveChannel(channel)
      changes.publish({type: 'archived', channel})
    },
  }
}

function requireMember(workspace: Workspace, id: string): Member {
  const member = workspace.member(id)
  if (member === undefined) {
    const known = workspace.members().map((one) => one.id)
    throw new Error(`There is no member ${id}. Known: ${known.join(', ')}.`)
  }
  return member
}

function requireChannel(workspace: Workspace, id: string): Channel {
  const channel = workspace.channel(id)
  if (channel === undefined) {
    const known = workspace.channels().map((one) => one.id)
    throw new Error(`There is no channel ${id}. Known: ${known.join(', ')}.`)
  }
  return channel
}

function requirePlace(workspace: Workspace, as: string, channelId: string): Channel {
  const member = requireMember(workspace, as)
  const channel = requireChannel(workspace, channelId)
  if (!channel.memberIds.includes(member.id)) {
    throw new Error(`${member.name} is not in ${channelId}. Choose one of its members.`)
  }
  return channel
}

function requireMessage(
  messages: Messages,
  {as, channel, ts}: {as: string; channel: string; ts: string},
): StoredMessage {
  const message = messages.find(channel, ts)
  const isSeen = message !== undefined && (message.ephemeralTo ?? as) === as
  if (!isSeen) throw new Error(`${as} sees no message ${ts} in ${channel}. It may be deleted.`)
  return message
}
