import type {WebClient} from '@slack/web-api'
import {TryLater} from '../inbox/try-later.ts'
import {SlackError, callSlack} from './calls.ts'

/**
 * Whether somebody belongs to the workspace: in a channel that is shared with another company also their
 * people put signs on messages.
 *
 * @throws {TryLater} when Slack does not say.
 */
export function createMembership(
  client: WebClient,
  team: string,
): (user: string) => Promise<boolean> {
  return async (id) => {
    try {
      const {user} = await callSlack(() => client.users.info({user: id}))
      return user?.team_id === undefined || user.team_id === team
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait') throw new TryLater(error, error.retryAfterMs)
      if (error.kind === 'retry') throw new TryLater(error)
      return false
    }
  }
}
