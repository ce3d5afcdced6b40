import type {WebClient} from '@slack/web-api'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {SlackError} from '../../once/slack-error.ts'
import {callPaced} from '../../slack/api/paced.ts'
import {type AppMessage, appMessageSchema, toAppMessage} from '../../slack/incoming/alert.ts'
import {type Ourselves, isOurs} from '../../slack/incoming/ourselves.ts'

/** What was written last in a channel. */
export interface Lately {
  /** How many messages were read. */
  count: number
  /** Those that other apps wrote, oldest first. */
  messages: AppMessage[]
}

/** Reads it; else, in Slack's words, why not. */
export type ReadLately = (channel: string, signal: AbortSignal) => Promise<Lately | {code: string}>

/** So many are looked at: one page of Slack's. */
const NEWEST = 100

export function createReadLately({
  client,
  pacer,
  team,
  ...us
}: Ourselves & {client: WebClient; pacer: Pacer; team: string}): ReadLately {
  const method = 'conversations.history'
  return async (channel, signal) => {
    try {
      const told = await callPaced({pacer, team, channel, method, signal}, () =>
        client.conversations.history({channel, limit: NEWEST}),
      )
      if (told === undefined) return {code: 'no_answer'}
      const all = told.messages ?? []
      const messages = all.flatMap((message) => {
        const {data} = appMessageSchema.safeParse(message)
        const said = data && toAppMessage(data, {team, channel})
        return said === undefined || isOurs(said, us) ? [] : [said]
      })
      return {count: all.length, messages: messages.toReversed()}
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      return {code: error.code}
    }
  }
}
