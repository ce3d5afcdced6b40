import {createAgentPeople, type AgentPeople, type AgentPeopleParts} from '../agents/people.ts'
import type {Deliveries} from '../delivery/deliveries.ts'
import type {Files, StoredFile} from '../files/files.ts'
import type {Interactions} from '../delivery/interactions.ts'
import type {Messages, StoredMessage} from '../messages/messages.ts'
import {
  createOperator,
  requireChannel,
  requireMember,
  type Operator,
  type OperatorParts,
} from './operator.ts'
import {isRecord} from '../edge/arguments.ts'
import {respond} from '../delivery/response-urls.ts'
import type {HandoverAnswer} from '../delivery/transport.ts'
import type {Channel, Workspace} from '../workspace/workspace.ts'

type DeliveryOutcome = HandoverAnswer['outcome']

/** What members do in Slack. Each refuses with an error what a person could not do there. */
export interface People extends Operator, AgentPeople {
  /** The text is Slack mrkdwn with Slack's escapes; `@Bosun` becomes a mention. */
  post(post: {
    as: string
    channel: string
    text: string
    threadTs?: string
    files?: AttachedFile[]
  }): Promise<StoredMessage>
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
}

interface AttachedFile {
  name: string
  content: string | Uint8Array
}

interface PeopleParts extends OperatorParts, AgentPeopleParts {
  files: Files
  deliveries: Deliveries
  interactions: Interactions
}

export function createPeople(parts: PeopleParts): People {
  return {
    ...createWriting(parts),
    ...createPressing(parts),
    ...createOperator(parts),
    ...createAgentPeople(parts),
  }
}

type Writing = Pick<People, 'post' | 'edit' | 'remove' | 'react' | 'unreact'>

function createWriting(parts: PeopleParts): Writing {
  const {workspace, messages, conversation, sharing} = parts
  const mention = (text: string): string => text.replace(/@Bosun\b/gi, `<@${workspace.app.userId}>`)
  const seen = ({as, channel, ts}: {as: string; channel: string; ts: string}): StoredMessage => {
    requirePlace(workspace, as, channel)
    return requireMessage(messages, {as, channel, ts})
  }
  return {
    post: async ({as, channel, text, threadTs, files = []}) => {
      const place = requirePlace(workspace, as, channel)
      if (place.archived) throw new Error(`${channel} is archived: nobody can write there.`)
      const draft = {
        channel,
        userId: as,
        text: mention(text),
        ...(threadTs === undefined ? {} : {threadTs}),
      }
      if (files.length === 0) return conversation.post(draft)
      return sharing.share(attach(parts, as, files), draft)
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

function attach({files}: PeopleParts, userId: string, attached: AttachedFile[]): StoredFile[] {
  return attached.map(({name, content}) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const {file, ticket} = files.promise({name, size: bytes.byteLength, userId})
    files.upload(ticket, bytes)
    return file
  })
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

export function requirePlace(workspace: Workspace, as: string, channelId: string): Channel {
  const member = requireMember(workspace, as)
  const channel = requireChannel(workspace, channelId)
  if (!channel.memberIds.includes(member.id)) {
    throw new Error(`${member.name} is not in ${channelId}. Choose one of its members.`)
  }
  return channel
}

export function requireMessage(
  messages: Messages,
  {as, channel, ts}: {as: string; channel: string; ts: string},
): StoredMessage {
  const message = messages.find(channel, ts)
  const isSeen = message !== undefined && (message.ephemeralTo ?? as) === as
  if (!isSeen) throw new Error(`${as} sees no message ${ts} in ${channel}. It may be deleted.`)
  return message
}
