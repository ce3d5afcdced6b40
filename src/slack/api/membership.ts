import {setTimeout as delay} from 'node:timers/promises'
import {WebClient} from '@slack/web-api'
import {TryLater} from '../../inbox/try-later.ts'
import {createMemory} from '../../async/memory.ts'
import {callSlack} from './slack-client.ts'
import {SlackError, askAgainAfterMs, mayPass} from '../../once/slack-error.ts'

/** Who is in which channel, as Slack says it now: remembered for a minute at most, and no longer than until somebody leaves. */
export interface Membership {
  /**
   * Whether somebody is in a channel or a direct message; nobody is where Slack does not let us know.
   *
   * @throws {TryLater} when Slack does not say now.
   */
  isMember(channel: string, user: string): Promise<boolean>
  /** The same of whoever was there: of a channel that Slack does not show us it is not known. @throws {TryLater} */
  hasLeft(channel: string, user: string): Promise<boolean>
  /** `public`: everybody of the workspace may look into it. `unknown`: Slack does not say. */
  visibilityOf(channel: string): Promise<Visibility>
  /**
   * The same for who can wait; `unknown`: Slack will not say.
   *
   * @throws {TryLater} when Slack does not say now.
   */
  surelyVisibilityOf(channel: string): Promise<Visibility>
  /** People of other companies read it, or are asked to; so it is where Slack does not say. */
  isShared(channel: string): Promise<boolean>
  /**
   * The same for who can wait until Slack says.
   *
   * @throws {TryLater} when Slack does not say now.
   */
  isSurelyShared(channel: string): Promise<boolean>
  /** Whatever was known of the channel may have changed. */
  doubt(channel: string): void
  /** Slack has said with a message that it is private: for as long nothing that was asked before makes it public. */
  closed(channel: string): void
  /** Somebody has come or gone. */
  moved(channel: string, user: string): void
}

type Visibility = 'public' | 'private' | 'unknown'

/** What is to be known of a channel. */
interface Outlook {
  visibility: Visibility
  isShared: boolean
  /** Slack may say after so long. */
  afterMs?: number
}

const UNKNOWN: Outlook = {visibility: 'unknown', isShared: true}
const DIRECT: Outlook = {visibility: 'private', isShared: false}

/** Of a channel that we are not in. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['channel_not_found', 'not_in_channel'])

const KEEP_MS = 60_000
/** Whoever is let in should not be sent away for long. */
const KEEP_ABSENT_MS = 2000
/** So many answers are remembered of each kind. */
const MAX_KNOWN = 10_000
const PAGE = 1000
/** More people than any channel has: a list that never ends says nothing of those behind it. */
const MAX_PAGES = 500
/** Sooner than a person would wonder. */
const TELL_WITHIN_MS = 2500

export function createMembership(
  client: WebClient,
  nowMs: () => number = () => performance.now(),
): Membership {
  /** `undefined`: Slack does not show us the channel. */
  const members = createMemory<Promise<boolean | undefined>>({most: MAX_KNOWN, nowMs})
  const outlooks = createMemory<Promise<Outlook>>({most: MAX_KNOWN, nowMs})
  const closed = createMemory<'private'>({most: MAX_KNOWN, nowMs})

  const askMembers = async (channel: string, user: string): Promise<boolean | undefined> => {
    let cursor: string | undefined
    try {
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const from = {channel, limit: PAGE, ...(cursor !== undefined && {cursor})}
        const answer = await callSlack(() => client.conversations.members(from))
        if (answer.members?.includes(user) === true) return true
        cursor = answer.response_metadata?.next_cursor || undefined
        if (cursor === undefined) return false
      }
      return false
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      const afterMs = askAgainAfterMs(error)
      if (afterMs !== undefined) throw new TryLater(error, afterMs)
      return NOT_SHOWN.has(error.code) ? undefined : false
    }
  }

  const knowsMember = (channel: string, user: string): Promise<boolean | undefined> => {
    const key = keyOf(channel, user)
    const known = members.of(key)
    if (known !== undefined) return known
    const asked = askMembers(channel, user)
    members.keep(key, asked, KEEP_MS)
    asked.then(
      (isMember) => {
        const isAbsent = isMember !== true && members.of(key) === asked
        if (isAbsent) members.keep(key, asked, KEEP_ABSENT_MS)
      },
      () => members.forget(key),
    )
    return asked
  }

  /** https://docs.slack.dev/reference/objects/conversation-object */
  const askOutlook = async (channel: string): Promise<Outlook> => {
    try {
      const {channel: said} = await callSlack(() => client.conversations.info({channel}))
      const isOpen = said?.is_private === false && said.is_im !== true && said.is_mpim !== true
      const isShared = said?.is_ext_shared === true || said?.is_pending_ext_shared === true
      return {visibility: isOpen ? 'public' : 'private', isShared}
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      outlooks.forget(channel)
      if (mayPass(error)) return {...UNKNOWN, afterMs: error.retryAfterMs}
      // What is not shown to us is shown to few; any other refusal says nothing of the channel.
      return error.code === 'channel_not_found' ? {...UNKNOWN, visibility: 'private'} : UNKNOWN
    }
  }

  const outlookOf = (channel: string): Promise<Outlook> => {
    if (channel.startsWith('D')) return Promise.resolve(DIRECT)
    const known = outlooks.of(channel)
    if (known !== undefined) return known
    const asked = askOutlook(channel)
    outlooks.keep(channel, asked, KEEP_MS)
    return Promise.race([asked, delay(TELL_WITHIN_MS, {...UNKNOWN, afterMs: 0}, {ref: false})])
  }

  const saidOf = async (channel: string): Promise<Outlook> => {
    const outlook = await outlookOf(channel)
    // What is said of a silence is said of the platform's.
    if (outlook.afterMs !== undefined) throw new TryLater(undefined, outlook.afterMs, 'order')
    return outlook
  }

  const keyOf = (channel: string, user: string): string => `${channel} ${user}`

  return {
    isMember: async (channel, user) => (await knowsMember(channel, user)) === true,
    hasLeft: async (channel, user) => (await knowsMember(channel, user)) === false,
    visibilityOf: async (channel) => closed.of(channel) ?? (await outlookOf(channel)).visibility,
    surelyVisibilityOf: async (channel) => closed.of(channel) ?? (await saidOf(channel)).visibility,
    isShared: async (channel) => (await outlookOf(channel)).isShared,
    isSurelyShared: async (channel) => (await saidOf(channel)).isShared,
    doubt: (channel) => outlooks.forget(channel),
    closed: (channel) => closed.keep(channel, 'private', KEEP_MS),
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
