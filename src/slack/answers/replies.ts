import type {ChatPostMessageArguments, FetchFunction, WebClient} from '@slack/web-api'
import {isNotOurs} from '../../async/fence.ts'
import {createMemory} from '../../async/memory.ts'
import {pause} from '../../async/pause.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import {isRecord, parseJson} from '../../security/foreign-json.ts'
import type {Discretion} from '../api/discretion.ts'
import {isSlacks} from '../api/slack-client.ts'
import {callPaced} from '../api/paced.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {messageOf} from '../states/mark.ts'
import {type Message, inSections, toFit} from '../draw/blocks.ts'
import {createBackground} from '../../async/background.ts'
import {SlackError} from '../../once/slack-error.ts'

/** Whom to answer, and where they are looking. */
export interface Asker {
  channel: string
  user: string
  slackThread: string | undefined
}

/** Where Slack takes an answer for half an hour. */
export interface Responding extends Asker {
  responseUrl: string
}

type Worked = Pick<Link, 'place' | 'requestId'>

/** Small signs for the one who asked. None of them is worth failing for, or waiting for. */
export interface Replies extends AsyncDisposable {
  /** A message that only this person sees; where we can't write, a direct one. Call it once: it cannot be taken back. */
  whisper(asker: Asker, message: Message): void
  /** The same for a command or a shortcut, which may be used where we are no member; `instead`: of the whisper that was pressed in. */
  respond(asked: Responding, message: Message, how?: 'instead'): void
  /** Takes away the whisper that was pressed in. */
  withdraw(asked: Pick<Responding, 'responseUrl'>): void
  /** 👀: it is being worked on. */
  seen(channel: string, ts: string): void
  /** What came of it stands there, or elsewhere: 👀 goes. */
  settled(channel: string, ts: string): void
  /** ✅: the agent platform has it. The mark of the work alone stands on the message that began it. */
  admitted(link: Worked, ts: string): void
  /** ⏹: the word stops the work. */
  stopped(channel: string, ts: string): void
  /** 🚫: the agent will never get it. */
  cancelled(link: Worked, ts: string): void
  /** A message below another one, for everybody there. Call it once. */
  say(place: {channel: string; slackThread: string}, message: Message): void
  /** A direct message, for what can't be said where the work is. Call it once. */
  tell(user: string, message: Message): void
}

interface RepliesOptions {
  client: WebClient
  /** The origin of Slack's API: nothing of ours goes to a plain address elsewhere. */
  apiUrl: string
  pacer: Pacer
  team: string
  log: Log
  discretion?: Discretion | undefined
  /** The way to Slack for what is no call of its API. */
  fetch?: FetchFunction | undefined
  /** The bot itself stops. */
  stopping: AbortSignal
}

/** How often Slack may say "not now" to one sign. */
const MAX_TRIES = 5

/** A whisper is for nobody there, whatever it says. */
const ABSENT = 'user_not_in_channel'

/** Reactions that are there already or gone, or have nothing to stand on, are as good as made. */
const HARMLESS: readonly string[] = ['already_reacted', 'no_reaction', 'message_not_found']

const RESPOND_WITHIN_MS = 10_000

/**
 * Whoever gives the workspace away says first what it has to say: nobody says it again. With the time of a stop behind it that
 * is three seconds: a new instance has its share within five.
 */
const LAST_WORDS_MS = 2000

/** A stop has three seconds in all. */
const LAST_WORDS_AT_STOP_MS = 1000

/** The type of the metadata of an answer for everybody. */
const ANSWER_METADATA = 'bosun_answer'

const SEEN = 'eyes'
const ADMITTED = 'white_check_mark'

/** How many of the newest reactions are known, so that none is put twice. */
const KNOWN_REACTIONS = 1000

export function createReplies({
  client,
  apiUrl,
  pacer,
  team,
  log,
  discretion,
  fetch = globalThis.fetch,
  stopping,
}: RepliesOptions): Replies {
  const stop = new AbortController()
  const background = createBackground((error) =>
    log.error({err: error}, 'A sign to a person failed'),
  )
  const reactions = createMemory<Promise<void>>({most: KNOWN_REACTIONS})

  /** A "not now" is a "no", so that the same may be asked again; of a lost answer nobody knows. What failed for good. */
  const attempt = async (
    method: string,
    channel: string,
    call: () => Promise<unknown>,
  ): Promise<SlackError | undefined> => {
    const turn = {pacer, team, channel, method, signal: stop.signal}
    for (let tries = 1; ; tries += 1) {
      try {
        await callPaced(turn, call)
        return undefined
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
        if (HARMLESS.includes(error.code)) return undefined
        if (error.kind === 'wait' && tries < MAX_TRIES) continue
        log.warn({err: error}, 'A sign to a person was lost')
        return error
      }
    }
  }

  const start = (act: () => Promise<unknown>): void => background.keep(act())

  const sign = (name: string) => (channel: string, ts: string) => {
    // What came from no message has nothing to stand on.
    if (ts !== '') react(channel, ts, name)
  }

  const signBeside = (name: string) => (link: Worked, ts: string) => {
    if (ts !== messageOf(link)) sign(name)(link.place.channel, ts)
  }

  /** That a message arrived may be learned from its answer and from the stream, whichever comes first. */
  const react = (channel: string, timestamp: string, name: string): void => {
    const reaction = `${channel}:${timestamp}:${name}`
    if (reactions.of(reaction) !== undefined) return
    const put = async (): Promise<void> => {
      const add = (): Promise<unknown> => client.reactions.add({channel, timestamp, name})
      if ((await attempt('reactions.add', channel, add)) !== undefined) reactions.forget(reaction)
    }
    const isPut = put()
    reactions.keep(reaction, isPut)
    start(() => isPut)
  }

  const takeAway = (channel: string, timestamp: string, name: string): void => {
    const reaction = `${channel}:${timestamp}:${name}`
    const isPut = reactions.of(reaction)
    if (isPut === undefined) return
    reactions.forget(reaction)
    const remove = (): Promise<unknown> => client.reactions.remove({channel, timestamp, name})
    start(() => isPut.then(() => attempt('reactions.remove', channel, remove)))
  }

  /** Where Slack does not take the blocks as they are, the same is said in plain ones, and at last in words alone. */
  const simplest = async (
    {plain, ...message}: Message,
    send: (message: Message) => Promise<SlackError | undefined>,
  ): Promise<SlackError | undefined> => {
    const {text, blocks} = message
    const simpler = [
      ...(plain === undefined ? [] : [{...message, blocks: plain}]),
      ...(blocks === undefined ? [] : [{text: toFit(text, MAX_WHISPER)}]),
    ]
    let failure = await send(message)
    for (const next of simpler) {
      if (failure?.kind !== 'refused' || failure.code === ABSENT) return failure
      failure = await send(next)
    }
    return failure
  }

  const write = (
    channel: string,
    message: Message,
    below?: Pick<ChatPostMessageArguments, 'thread_ts' | 'metadata'>,
  ): Promise<SlackError | undefined> =>
    simplest(message, ({text, blocks}) =>
      attempt('chat.postMessage', channel, () =>
        client.chat.postMessage({
          channel,
          text,
          ...(blocks !== undefined && {blocks}),
          // An agent's question may hold addresses: nobody's machine is to be asked for what they show.
          unfurl_links: false,
          unfurl_media: false,
          ...below,
        }),
      ),
    )

  /** To a person: Slack opens the conversation by the user's id. Where it knows none by that, it is opened first. */
  const writeTo = async (user: string, message: Message): Promise<void> => {
    const failure = await write(user, message)
    if (failure?.code !== 'channel_not_found') return
    let direct: string | undefined
    await attempt('conversations.open', user, async () => {
      direct = (await client.conversations.open({users: user})).channel?.id
    })
    if (direct !== undefined) await write(direct, message)
  }

  const whisper = async (asker: Asker, message: Message): Promise<void> => {
    const {channel, user, slackThread} = asker
    const failure = await simplest(toWhisper(message), ({text, blocks}) =>
      attempt('chat.postEphemeral', channel, () =>
        client.chat.postEphemeral({
          channel,
          user,
          text,
          ...(blocks !== undefined && {blocks}),
          ...(slackThread !== undefined && {thread_ts: slackThread}),
        }),
      ),
    )
    if (failure?.kind === 'unusable' || failure?.code === ABSENT) {
      await writeTo(user, message)
    }
  }

  const respond: Replies['respond'] = ({responseUrl, ...asker}, message, how) => {
    const {plain, ...first} = message
    const said = how === 'instead' ? {replace_original: true} : {response_type: 'ephemeral'}
    start(async () => {
      const isTaken =
        (await post(responseUrl, {...said, ...first})) ||
        (plain !== undefined && (await post(responseUrl, {...said, ...first, blocks: plain})))
      if (!isTaken) await whisper(asker, message)
    })
  }

  const post = async (url: string, said: object): Promise<boolean> => {
    if (!isSlacks(url, apiUrl)) return false
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(RESPOND_WITHIN_MS)])
    const body = JSON.stringify(discretion === undefined ? said : discretion.hideInJson(said))
    const headers = {'content-type': 'application/json'}
    try {
      const how = {method: 'POST', headers, body, signal, redirect: 'error'} as const
      const answer = await fetch(url, how)
      const told = parseJson(await answer.text())
      // It may have been shown, as where the answer is lost: then it is not said once more.
      if (answer.status >= 500) return true
      return answer.ok && (!isRecord(told) || told['ok'] !== false)
    } catch (error) {
      return !isNotOurs(error)
    }
  }

  return {
    whisper: (asker, message) => start(() => whisper(asker, message)),
    respond,
    withdraw: ({responseUrl}) => start(() => post(responseUrl, {delete_original: true})),
    seen: sign(SEEN),
    settled: (channel, ts) => takeAway(channel, ts, SEEN),
    admitted: signBeside(ADMITTED),
    stopped: sign('black_square_for_stop'),
    cancelled: (link, ts) => {
      // What was taken back had arrived.
      takeAway(link.place.channel, ts, ADMITTED)
      signBeside('no_entry_sign')(link, ts)
    },
    say: ({channel, slackThread: ts}, message) => {
      // Marked, so that nobody takes it for a post of work that is looked for in that Slack thread.
      const metadata = {event_type: ANSWER_METADATA, event_payload: {below: ts}}
      start(() => write(channel, message, {thread_ts: ts, metadata}))
    },
    tell: (user, message) => start(() => writeTo(user, message)),
    [Symbol.asyncDispose]: async () => {
      const said = background.ended()
      await Promise.race([said, pause(LAST_WORDS_MS, AbortSignal.any([stopping, stop.signal]))])
      await Promise.race([said, pause(LAST_WORDS_AT_STOP_MS, stop.signal)])
      stop.abort()
      await said
    },
  }
}

/** Slack refuses a whisper for a text that is longer, also where nobody reads it beside its blocks. */
const MAX_WHISPER = 4000

function toWhisper(message: Message): Message {
  const {text, blocks = inSections(text.split('\n'))} = message
  return text.length <= MAX_WHISPER ? message : {...message, text: toFit(text, MAX_WHISPER), blocks}
}
