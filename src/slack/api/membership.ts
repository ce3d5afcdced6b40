import {setTimeout as delay} from 'node:timers/promises'
import {WebClient} from '@slack/web-api'
import {TryLater} from '../../inbox/try-later.ts'
import {createMemory} from '../../async/memory.ts'
import {callSlack} from './slack-client.ts'
import {SlackError} from '../../once/slack-error.ts'

/** Who is in which channel, as Slack says it now: remembered for a minute at most, and no longer than until somebody leaves. */
export interface Membership {
  /**
   * Whether somebody is in a channel or a direct message; nobody is where Slack does not let us know.
   *
   * @throws {TryLater} when Slack does not say now.
   */
  isMember(channel: string, user: string): Promise<boolean>
  /** `public`: everybody of the workspace may look into it. `unknown`: Slack does not say now. */
  visibilityOf(channel: string): Promise<Visibility>
  /** Somebody has come or gone. */
  moved(channel: string, user: string): void
}

type Visibility = 'public' | 'private' | 'unknown'

const KEEP_MS = 60_000
/** Whoever is let in should not be sent away for long. */
const KEEP_ABSENT_MS = 2000
/** So many answers are remembered of each kind. */
const MAX_KNOWN = 10_000
const PAGE = 1000
/** Sooner than a person would wonder. */
const TELL_WITHIN_MS = 2500

export function createMembership(
  client: WebClient,
  nowMs: () => number = () => performance.now(),
): Membership {
  const members = createMemory<Promise<boolean>>({most: MAX_KNOWN, nowMs})
  const visibilities = createMemory<Promise<Visibility>>({most: MAX_KNOWN, nowMs})

  const askMembers = async (channel: string, user: string): Promise<boolean> => {
    let cursor: string | undefined
    try {
      do {
        const page = {channel, limit: PAGE, ...(cursor !== undefined && {cursor})}
        const answer = await callSlack(() => client.conversations.members(page))
        if (answer.members?.includes(user) === true) return true
        cursor = answer.response_metadata?.next_cursor || undefined
      } while (cursor !== undefined)
      return false
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait') throw new TryLater(error, error.retryAfterMs)
      if (error.kind === 'retry') throw new TryLater(error)
      return false
    }
  }

  /** https://docs.slack.dev/reference/objects/conversation-object */
  const askVisibility = async (channel: string): Promise<Visibility> => {
    try {
      const {channel: said} = await callSlack(() => client.conversations.info({channel}))
      const isOpen = said?.is_private === false && said.is_im !== true && said.is_mpim !== true
      return isOpen ? 'public' : 'private'
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      visibilities.forget(channel)
      // What is not shown to us is shown to few; any other refusal says nothing of the channel.
      return error.code === 'channel_not_found' ? 'private' : 'unknown'
    }
  }

  const keyOf = (channel: string, user: string): string => `${channel} ${user}`

  return {
    isMember: (channel, user) => {
      const key = keyOf(channel, user)
      const known = members.of(key)
      if (known !== undefined) return known
      const asked = askMembers(channel, user)
      members.keep(key, asked, KEEP_MS)
      asked.then(
        (isMember) => {
          if (!isMember && members.of(key) === asked) members.keep(key, asked, KEEP_ABSENT_MS)
        },
        () => members.forget(key),
      )
      return asked
    },
    visibilityOf: (channel) => {
      if (channel.startsWith('D')) return Promise.resolve('private')
      const known = visibilities.of(channel)
      if (known !== undefined) return known
      const asked = askVisibility(channel)
      visibilities.keep(channel, asked, KEEP_MS)
      return Promise.race([asked, delay<Visibility>(TELL_WITHIN_MS, 'unknown', {ref: false})])
    },
    moved: (channel, user) => members.forget(keyOf(channel, user)),
  }
}

/** Whether we may write in a channel; `unknown` where Slack does not say: then it is tried. */
export type Presence = (channel: string) => Promise<'inside' | 'outside' | 'unknown'>

export function createPresence(client: WebClient): Presence {
  return async (id) => {
    try {
      const {channel} = await callSlack(() => client.conversations.info({channel: id}))
      if (channel?.is_archived === true) return 'outside'
      // Of direct messages, also of groups, we see those alone that we are in, whatever the flag says.
      const isDirect = channel?.is_im === true || channel?.is_mpim === true
      return channel?.is_member === false && !isDirect ? 'outside' : 'inside'
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      return error.kind === 'unusable' ? 'outside' : 'unknown'
    }
  }
}
