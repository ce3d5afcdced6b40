import {WebClient} from '@slack/web-api'
import {aborted} from '../../async/pause.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import {callPaced, eachMessage} from '../api/paced.ts'
import {readInstruction} from '../incoming/instructions.ts'
import type {Ourselves} from '../incoming/ourselves.ts'
import {type Names, firstOf} from '../markup/markup.ts'
import type {QuotedMessage, QuotedReader} from './quoting.ts'
import {SlackError} from '../../once/slack-error.ts'
import {type Said, isSaid, readSaid, toQuoted} from './said.ts'

/** Which messages of a Slack thread. */
interface Stretch {
  channel: string
  slackThread: string
  /** Only older ones; all without. */
  beforeTs?: string | undefined
  /** Somebody asked for all of it. */
  isWhole?: true | undefined
}

/** What was said in a Slack thread: its parent and the newest replies, or as many as an agent can take. `undefined` when Slack does not tell in time. */
export type Discussions = (
  stretch: Stretch,
  signal: AbortSignal,
) => Promise<QuotedMessage[] | undefined>

interface DiscussionsOptions extends Ourselves {
  client: WebClient
  pacer: Pacer
  team: string
  names: Names
  readQuoted: QuotedReader
  log: Log
}

const NEWEST = 20
/** Of what somebody wants whole. */
const MOST = 500
const MOST_CHARS = 100_000
const PAGE = 1000
const READ_WITHIN_MS = 5000

export function createDiscussions(options: DiscussionsOptions): Discussions {
  const {client, pacer, team, names, readQuoted, log} = options

  const readPage = async (stretch: Stretch, from: {cursor?: string}, signal: AbortSignal) => {
    const {channel, slackThread, beforeTs} = stretch
    const method = 'conversations.replies'
    try {
      return await callPaced({pacer, team, channel, method, rank: 'state', signal}, () =>
        client.conversations.replies({
          channel,
          ts: slackThread,
          limit: PAGE,
          ...from,
          ...(beforeTs !== undefined && {latest: beforeTs, inclusive: false}),
        }),
      )
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      log.info({err: error}, 'A Slack thread could not be read')
      return undefined
    }
  }

  const read = async (
    stretch: Stretch,
    signal: AbortSignal,
  ): Promise<QuotedMessage[] | undefined> => {
    const {slackThread, beforeTs, isWhole = false} = stretch
    const most = isWhole ? MOST : NEWEST
    const isEarlier = ({ts}: Said): boolean => beforeTs === undefined || ts < beforeTs
    // Whoever says it was promised that it stays between people.
    const isAside = ({text}: Said): boolean =>
      readInstruction(text, {...options, isDirect: false}).want === 'aside'
    let isAny = false
    let root: Said | undefined
    const newest: Said[] = []
    let chars = 0
    // Slack tells from old to new: the newest come last, however many there are.
    for await (const told of eachMessage((from) => readPage(stretch, from, signal))) {
      const one = readSaid(told, options)
      if (one === undefined) continue
      isAny = true
      if (!isSaid(one) || !isEarlier(one) || isAside(one)) continue
      if (one.ts === slackThread) root ??= one
      else {
        newest.push(one)
        chars += one.text.length
      }
      while (newest.length > most || (isWhole && chars > MOST_CHARS)) {
        chars -= newest.shift()?.text.length ?? 0
      }
    }
    if (!isAny) return undefined
    const few = firstOf(names)
    const quoted = await Promise.all(
      [...(root === undefined ? [] : [root]), ...newest].map((one) =>
        toQuoted(one, {names: few, readQuoted}),
      ),
    )
    return quoted.filter(
      ({text, files, forwarded}) => text !== '' || files.length + forwarded.length > 0,
    )
  }

  return async (stretch, signal) => {
    const enough = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)])
    return Promise.race([read(stretch, enough), aborted(enough).then(() => undefined)])
  }
}
