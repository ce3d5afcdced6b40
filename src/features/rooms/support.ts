import type {WebClient} from '@slack/web-api'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {TryLater} from '../../inbox/try-later.ts'
import {SlackError, mayPass} from '../../once/slack-error.ts'
import {callPaced} from '../../slack/api/paced.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'

/** Whether the workspace has rooms at all: Slack is asked once, and what it said is kept. */
export interface RoomSupport {
  /** @throws {TryLater} while Slack does not say. */
  hasRooms(signal: AbortSignal): Promise<boolean>
  /** For what does not wait for Slack's answer: not while it does not say. */
  offersRooms(signal: AbortSignal): Promise<boolean>
  /** Slack has just said that it has none. */
  refused(code: string): Promise<void>
}

interface RoomSupportOptions {
  client: WebClient
  rooms: Pick<RoomStore, 'support' | 'noteSupport'>
  pacer: Pacer
  team: string
  nowMs: () => number
}

/** After so long the workspace may have got them, or we the right to open them. */
const FRESH_MS = 86_400_000
const METHOD = 'agents.conversations.listViews'
/** No channel: where there are rooms this is none that Slack knows. */
const NO_CHANNEL = 'C00000000'
/** In these words Slack says of the channel that it is no room, so that it knows of rooms. */
const KNOWN: readonly string[] = ['channel_not_found', 'not_agent_channel', 'not_in_channel']

export function createRoomSupport(options: RoomSupportOptions): RoomSupport {
  const {client, rooms, pacer, team, nowMs} = options
  let asking: Promise<boolean> | undefined

  const ask = async (signal: AbortSignal): Promise<boolean> => {
    const turn = {pacer, team, method: METHOD, signal}
    let hasRooms = true
    try {
      await callPaced(turn, () => client.apiCall(METHOD, {channel_id: NO_CHANNEL}))
      if (signal.aborted) throw new TryLater(signal.reason)
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (mayPass(error)) throw new TryLater(error, error.retryAfterMs)
      hasRooms = KNOWN.includes(error.code)
    }
    await rooms.noteSupport(team, hasRooms, nowMs())
    return hasRooms
  }

  const hasRooms: RoomSupport['hasRooms'] = async (signal) => {
    const known = await rooms.support(team)
    if (known !== undefined && nowMs() - known.checkedAtMs < FRESH_MS) return known.hasRooms
    asking ??= ask(signal).finally(() => (asking = undefined))
    return asking
  }

  const offersRooms: RoomSupport['offersRooms'] = async (signal) => {
    try {
      return await hasRooms(signal)
    } catch (error) {
      if (error instanceof TryLater) return false
      throw error
    }
  }

  return {
    ...{hasRooms, offersRooms},
    refused: async (code) => {
      if (NONE.includes(code)) await rooms.noteSupport(team, false, nowMs())
    },
  }
}

/** In these words Slack says that there are no rooms for us, whatever is asked. */
const NONE: readonly string[] = [
  ...['feature_disabled', 'not_agent_app', 'unknown_method', 'missing_scope'],
  ...['not_allowed_token_type', 'method_deprecated'],
]
