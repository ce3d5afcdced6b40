import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {aborted} from '../platform/waiting.ts'
import type {Pacer} from '../relay/pacer.ts'
import type {Log} from '../relay/ports.ts'
import {SlackError, callSlack} from './calls.ts'
import {filesIn, forwardedIn, writtenSchema} from './deeds/message.ts'
import {type Names, toReadable} from './markup.ts'
import type {QuotedMessage} from './quoting.ts'
import {texts} from './texts.ts'

/** Which messages of a Slack thread. */
export interface Stretch {
  channel: string
  slackThread: string
  /** Only older ones; all without. */
  beforeTs?: string | undefined
}

/** What was said in a Slack thread: its parent and the newest replies. `undefined` when Slack does not tell in time. */
export type Discussions = (
  stretch: Stretch,
  signal: AbortSignal,
) => Promise<QuotedMessage[] | undefined>

interface DiscussionsOptions {
  client: WebClient
  pacer: Pacer
  team: string
  names: Names
  log: Log
}

const NEWEST = 20
const PAGE = 1000
const READ_WITHIN_MS = 5000

const messageSchema = writtenSchema.extend({
  user: z.string().optional(),
  username: z.string().nullish(),
  bot_profile: z.looseObject({name: z.string().nullish()}).nullish(),
})
type Message = z.infer<typeof messageSchema>

/** What people and apps say; the rest tells who joined, what was pinned. */
const SAID = [undefined, 'file_share', 'thread_broadcast', 'bot_message', 'me_message']

export function createDiscussions(options: DiscussionsOptions): Discussions {
  const {client, pacer, team, names, log} = options

  const readPage = async (stretch: Stretch, cursor: string | undefined, signal: AbortSignal) => {
    const {channel, slackThread, beforeTs} = stretch
    const method = 'conversations.replies'
    const ask = {team, channel, method, rank: 'state', sinceMs: 0, notBeforeMs: 0} as const
    if ((await pacer.next([ask], signal)) === undefined) return undefined
    try {
      return await callSlack(() =>
        client.conversations.replies({
          ...{channel, ts: slackThread, limit: PAGE},
          ...(beforeTs !== undefined && {latest: beforeTs, inclusive: false}),
          ...(cursor !== undefined && {cursor}),
        }),
      )
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait') pacer.pause({team, method}, error.retryAfterMs)
      log.info({err: error}, 'A Slack thread could not be read')
      return undefined
    }
  }

  const read = async (
    stretch: Stretch,
    signal: AbortSignal,
  ): Promise<QuotedMessage[] | undefined> => {
    const {slackThread, beforeTs} = stretch
    const isEarlier = ({ts}: Message): boolean => beforeTs === undefined || ts < beforeTs
    let isAny = false
    let root: Message | undefined
    let newest: Message[] = []
    let cursor: string | undefined
    // Slack tells from old to new: the newest come last, however many there are.
    do {
      const page = await readPage(stretch, cursor, signal)
      if (page === undefined) break
      const all = (page.messages ?? []).flatMap((one) => messageSchema.safeParse(one).data ?? [])
      const said = all.filter((one) => SAID.includes(one.subtype) && isEarlier(one))
      isAny ||= all.length > 0
      root ??= said.find(({ts}) => ts === slackThread)
      newest = [...newest, ...said.filter(({ts}) => ts !== slackThread)].slice(-NEWEST)
      cursor = page.response_metadata?.next_cursor || undefined
    } while (cursor !== undefined)
    if (!isAny) return undefined
    const quoted = await Promise.all(
      [...(root === undefined ? [] : [root]), ...newest].map(toQuoted),
    )
    return quoted.filter(
      ({text, files, forwarded}) => text !== '' || files.length + forwarded.length > 0,
    )
  }

  const toQuoted = async (message: Message): Promise<QuotedMessage> => ({
    author: await authorOf(message),
    text: await toReadable(message.text, names),
    files: filesIn(message).map(({name}) => name),
    forwarded: await Promise.all(
      forwardedIn(message).map(async ({author, text}) => ({
        author,
        text: await toReadable(text, names),
      })),
    ),
  })

  const authorOf = async (message: Message): Promise<string> => {
    const {user, bot_id: botId, username, bot_profile: profile} = message
    if (botId == null) return user === undefined ? texts.start.somebody : names.user(user)
    const name = username || profile?.name || (user === undefined ? '' : await names.user(user))
    return name === '' ? texts.start.anApp : texts.start.app(name)
  }

  return async (stretch, signal) => {
    const enough = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)])
    return Promise.race([read(stretch, enough), aborted(enough).then(() => undefined)])
  }
}
