import type {Entry} from '../blocks/elements.ts'
import type {Entries} from '../views/entry.ts'
import {isRecord} from '../edge/arguments.ts'
import type {Deliveries} from '../delivery/deliveries.ts'
import type {Interactions} from '../delivery/interactions.ts'
import type {Grants} from '../edge/scopes.ts'
import {respond, type ResponseUrlsParts} from '../delivery/response-urls.ts'
import type {HandoverAnswer} from '../delivery/transport.ts'
import {hasCommand} from '../workspace/code-channel.ts'
import type {Workspace} from '../workspace/workspace.ts'
import {requireMember, requireMessage, requirePlace} from './require.ts'

type DeliveryOutcome = HandoverAnswer['outcome']

/** What members press and type for one app. */
export interface Pressing {
  /**
   * Presses, chooses or types in a message. Resolves when the app has acknowledged, or has not: then a
   * person sees an error. `kept`: it was an input that tells the app nothing by itself.
   */
  press(press: {
    as: string
    channel: string
    ts: string
    actionId: string
    blockId?: string
    value?: Entry
    values?: Entries
  }): Promise<DeliveryOutcome | 'kept'>
  /** What the app says in its acknowledgement appears as a message. */
  command(command: {
    as: string
    channel: string
    command: string
    text: string
  }): Promise<DeliveryOutcome>
}

interface PressingParts extends Pick<ResponseUrlsParts, 'messages' | 'conversation'> {
  workspace: Workspace
  deliveries: Deliveries
  interactions: Interactions
  grants: Grants
}

export function createPressing(parts: PressingParts): Pressing {
  const {workspace, messages, deliveries, interactions, grants} = parts
  return {
    press: async ({as, channel, ts, ...choice}) => {
      requirePlace(workspace, as, channel)
      const message = requireMessage(messages, {as, channel, ts})
      const press = {member: requireMember(workspace, as), message, ...choice}
      const payload = interactions.press(press)
      return payload === undefined ? 'kept' : (await deliveries.send(payload)).outcome
    },
    command: async ({as, channel, command, text}) => {
      const place = requirePlace(workspace, as, channel)
      const isRegistered = place.code !== undefined && hasCommand(place.code, command)
      if (!isRegistered && !grants.has('commands')) {
        throw new Error(`${command} is not a valid command.`)
      }
      const member = requireMember(workspace, as)
      const payload = interactions.command({member, channel: place, command, text})
      const {outcome, response} = await deliveries.send(payload)
      const hasMessage = isRecord(response) && ('text' in response || 'blocks' in response)
      const author = workspace.app
      if (hasMessage) respond(parts, {channel, userId: as, author}, response)
      return outcome
    },
  }
}
