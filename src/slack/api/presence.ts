import type {WebClient} from '@slack/web-api'
import {SlackError, callSlack} from './calls.ts'

/** Whether we may write in a channel; `unknown` where Slack does not say: then it is tried. */
export type Presence = (channel: string) => Promise<'inside' | 'outside' | 'unknown'>

export function createPresence(client: WebClient): Presence {
  return async (id) => {
    try {
      const {channel} = await callSlack(() => client.conversations.info({channel: id}))
      if (channel?.is_archived === true) return 'outside'
      // Direct messages have no such flag: we see those alone that we are in.
      return channel?.is_member === false && channel.is_im !== true ? 'outside' : 'inside'
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      return error.kind === 'unusable' ? 'outside' : 'unknown'
    }
  }
}
