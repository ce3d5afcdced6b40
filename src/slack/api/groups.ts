import {TryLater} from '../../inbox/try-later.ts'
import {WebClient} from '@slack/web-api'
import {createMemory} from '../../async/memory.ts'
import {callSlack} from './slack-client.ts'
import {SlackError, askAgainAfterMs} from '../../once/slack-error.ts'

/** Who is in the workspace's user groups: https://docs.slack.dev/reference/methods/usergroups.users.list */
export interface Groups {
  /**
   * Nobody where Slack does not let us know.
   *
   * @throws {TryLater} when Slack does not say now.
   */
  members(group: string): Promise<readonly string[]>
  /** `undefined` where Slack does not tell them now. */
  all(): Promise<readonly {id: string; handle: string}[] | undefined>
}

/** Whoever leaves a group is refused within this time. */
const KEEP_MS = 60_000
const MAX_KNOWN = 1000

export function createGroups(client: WebClient): Groups {
  const known = createMemory<readonly string[]>({most: MAX_KNOWN})

  return {
    all: async () => {
      try {
        const {usergroups = []} = await callSlack(() => client.usergroups.list({}))
        return usergroups.flatMap(({id, handle, name}) =>
          id === undefined ? [] : [{id, handle: handle ?? name ?? id}],
        )
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
        return undefined
      }
    },
    members: async (group) => {
      const before = known.of(group)
      if (before !== undefined) return before
      try {
        const answer = await callSlack(() => client.usergroups.users.list({usergroup: group}))
        const members = answer.users ?? []
        known.keep(group, members, KEEP_MS)
        return members
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
        const afterMs = askAgainAfterMs(error)
        if (afterMs !== undefined) throw new TryLater(error, afterMs)
        return []
      }
    },
  }
}
