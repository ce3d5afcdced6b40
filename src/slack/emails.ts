import type {WebClient} from '@slack/web-api'
import {SlackError, callSlack} from './calls.ts'

/** Somebody's e-mail address, which is nobody else's business: empty without one, `undefined` when Slack does not tell. */
export function createEmails(client: WebClient): (user: string) => Promise<string | undefined> {
  return async (user) => {
    try {
      const answer = await callSlack(() => client.users.info({user}))
      return answer.user?.profile?.email ?? ''
    } catch (error) {
      if (error instanceof SlackError) return undefined
      throw error
    }
  }
}
