import {endIfMisplaced} from '../../agents/follow.ts'
import {type Edit, editSend} from '../../agents/sends/send-edits.ts'
import {notePlanWord} from '../../agents/sends/plan-words.ts'
import {followUp} from '../../agents/sends/sending.ts'
import {type StopDeps, stopWork} from '../../agents/stopping.ts'
import {readOptions} from '../../agents/start-options.ts'
import {createMemory} from '../../async/memory.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {InboxStore} from '../../store/tables/inbox.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type Send, tokenMark} from '../../store/tables/work/send.ts'
import {isLaterEdit, isOfMessage} from '../../slack/incoming/arrival.ts'
import type {MessageChanged, PersonsMessage} from '../../slack/incoming/message.ts'
import {declinedMessage, keptMessage} from '../../slack/draw/declined.ts'
import {readWritten, withoutMentions} from '../../slack/markup/markup.ts'
import type {Prompts} from '../../slack/prompts/prompts.ts'
import {senderLine} from '../../slack/prompts/quoting.ts'
import {type Instruction, readInstruction} from '../../slack/incoming/instructions.ts'
import {drawFilesQuestion, leftOutMessage} from './views/files-question.ts'
import {cardNoticeText, texts} from '../../slack/texts.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import {NEW, messageRequestId} from '../../slack/gate/start-request.ts'
import {createMuting} from './manage.ts'
import {toResult} from './unsure.ts'
import {conversationTexts} from './texts.ts'
import type {Tools} from '../../slack/gate/tools.ts'

interface FollowUpsOptions extends Pick<
  Tools,
  'botUserId' | 'help' | 'names' | 'replies' | 'settingsOf' | 'whereAgentIs'
> {
  deps: StopDeps
  prompts: Prompts
  /** Has a pull request reviewed that somebody named. */
  reviewWord: (
    message: PersonsMessage,
    link: Link,
    said: string,
    handling: Handling,
  ) => Promise<ActResult>
  /** Reads what was written behind `!model`. */
  modelWord: (said: string, link: Link) => Promise<ModelWord>
  inbox: Pick<InboxStore, 'handledBefore'>
}

type Model = NonNullable<Edit['model']>

/** `answer`: nothing is for the agent, and its writer is told so; `keep` does what was said, once. */
type ModelWord =
  | {outcome: 'answer'; text: string; keep?: () => Promise<void>}
  | {outcome: 'say'; text: string; model: Model}

/** What is for the agent, and how it gets it. */
interface Meant {
  text: string
  delivery: Edit['delivery']
  model?: Model
}

/** What people write in the Slack thread of running work. */
export interface FollowUps {
  /** `home`: it was written where a captain is at home, and readers of its Slack thread are shown it. */
  tell(
    message: PersonsMessage,
    link: Link,
    handling: Handling,
    home?: {whenGone: () => Promise<ActResult | undefined>},
  ): Promise<ActResult | undefined>
  /** What they make of it later: what waits is replaced, and what was delivered is corrected. */
  change(message: MessageChanged, link: Link, handling: Handling): Promise<ActResult | undefined>
}

/** Everything has its first sign within a second. */
const SEEN_AFTER_MS = 500
const MAX_TOLD = 10_000

type Told = Awaited<ReturnType<typeof followUp>> | {outcome: 'cancelled'}
type Written = Pick<PersonsMessage, 'user' | 'channel' | 'ts' | 'threadTs'>

export function createFollowUps(options: FollowUpsOptions): FollowUps {
  const {deps, names, replies, prompts, botUserId} = options
  const setMuted = createMuting({...deps, settingsOf: options.settingsOf})
  /** Who has been told what `!aside` does. */
  const toldOfAside = createMemory<true>({most: MAX_TOLD})

  const tell: FollowUps['tell'] = async (message, asked, handling, home) => {
    const {row, signal} = handling
    const link = await endIfMisplaced(deps, asked)
    const words = readInstruction(message.text, {botUserId, isDirect: message.isDirect})
    if (link.taskId !== undefined && words.want !== 'people' && words.want !== 'aside') {
      return {answer: {text: texts.tasks.readOnly(await options.whereAgentIs(link))}}
    }
    const {notice} = link
    if (notice?.code === 'misplaced' && words.want !== 'people') {
      return {answer: {text: cardNoticeText(notice)}}
    }
    switch (words.want) {
      case 'people':
        return undefined
      case 'aside':
        return tellOfAside(message)
      case 'nothing':
        return {answer: {text: conversationTexts.words.empty(words.word)}}
      case 'mute':
      case 'unmute':
        return {answer: {text: (await setMuted(link, words.want)).said}}
      case 'review':
        return options.reviewWord(message, link, words.text, handling)
      case 'stop':
        replies.stopped(message.channel, message.ts)
        return toResult(await stopWork(deps, link, message.user, handling))
      case 'model':
      case 'say': {
        // A word of its own is meant for the agent.
        const isWord = words.want === 'model' || words.delivery !== 'queue'
        if (link.muted && !words.isMention && !isWord) return undefined
        const meant = await toMeant(words, link)
        if ('outcome' in meant) {
          await meant.keep?.()
          return {answer: {text: meant.text}}
        }
        const work = {...link, user: message.user}
        const prompt = await prompts.pack(
          await readWritten(meant.text, names),
          {...message, work},
          signal,
        )
        const {text, notPassed} = prompt
        signal.throwIfAborted()
        const isWhole = notPassed.length === 0
        if (text === '') {
          return {answer: isWhole ? await options.help.first(message) : leftOutMessage(notPassed)}
        }
        const send = await toSend(message, row, meant)
        const toText = (token: string): string => send.toText(token, text)
        const plan = await notePlanWord(deps, link, text)
        const told = await seenWhenSlow(message, () =>
          followUp(
            deps,
            link,
            {
              ...send,
              toText,
              isQuoted: home !== undefined,
              ...(!isWhole && {state: 'kept' as const}),
            },
            signal,
          ),
        )
        if (told.outcome === 'declined' || told.outcome === 'kept') await plan.undo()
        const isGone = told.outcome === 'declined' && told.why === 'gone'
        if (isGone && home !== undefined) return home.whenGone()
        if (told.outcome === 'kept' && !isWhole) {
          return {answer: drawFilesQuestion('send', told.send.id, prompt)}
        }
        return toAnswer(message, link, told)
      }
      default:
        throw new Error(`Unknown words: ${JSON.stringify(words satisfies never)}`)
    }
  }

  const toMeant = async (
    words: Extract<Instruction, {want: 'say' | 'model'}>,
    link: Link,
  ): Promise<Meant | Extract<ModelWord, {outcome: 'answer'}>> => {
    if (words.want === 'say') return words
    const read = await options.modelWord(words.text, link)
    if (read.outcome === 'answer') return read
    return {text: read.text, model: read.model, delivery: 'queue'}
  }

  /** What takes its time, as when an answer is lost, shows that we are at it, and no longer than that. */
  const seenWhenSlow = async (
    {channel, ts}: PersonsMessage,
    send: () => Promise<Told>,
  ): Promise<Told> => {
    const slow = setTimeout(() => replies.seen(channel, ts), SEEN_AFTER_MS)
    try {
      const told = await send()
      replies.settled(channel, ts)
      return told
    } finally {
      clearTimeout(slow)
    }
  }

  const tellOfAside = ({team, user}: PersonsMessage): ActResult | undefined => {
    const who = `${team}:${user}`
    if (toldOfAside.of(who)) return undefined
    toldOfAside.keep(who, true)
    return {answer: {text: conversationTexts.words.aside}}
  }

  /** What was done by a word is not done again: an edit only changes what the agent is told. */
  const change: FollowUps['change'] = async (message, link, {row, signal}) => {
    // Slack may deliver what was said before behind what is said now.
    const before = await options.inbox.handledBefore(row)
    if (before.some(({key}) => isLaterEdit(key, message))) return undefined
    const isDirect = message.channel.startsWith('D')
    const words = readInstruction(message.text, {botUserId, isDirect})
    const isForAgent = words.want === 'say' || words.want === 'model'
    const read = isForAgent ? await toMeant(words, link) : undefined
    const meant = read === undefined || 'outcome' in read ? undefined : read
    const isKept = meant !== undefined
    const began = link.requestId === messageRequestId(message)
    const toText = async (said: string): Promise<string> => {
      if (began) return readTask(said, message, link)
      // With the files that are still in it: what it replaces had them, too.
      const enclosed = {...message, work: {...link, user: message.user}}
      return (await prompts.pack(await readWritten(said, names), enclosed, signal)).text
    }
    const text = isKept ? await toText(meant.text) : ''
    signal.throwIfAborted()
    // Its files may be read another time.
    if (isKept && text === '' && message.files.length > 0) return undefined
    const left = text === '' ? undefined : text
    // Slack tells of a mention that an edit puts in before the edit, or behind it.
    const isBegunSo = began && beginsWith((await deps.links.askOf(link.id))?.message, text)
    const send = await toSend(message, row, meant ?? {text: '', delivery: 'queue'})
    const isQuoted = !isSaidAt(message, link) && !began
    const edit = {
      isQuoted,
      ...send,
      words: left,
      correctionOf: conversationTexts.correction,
      isOfMessage: isOfMessageSend,
      ...(began && !isBegunSo && {asked: await readTask(message.before ?? '', message, link)}),
    }
    const told = await editSend(deps, link, edit, signal)
    if (told?.outcome === 'cancelled') replies.cancelled(link, message.ts)
    const outcome = told && toAnswer(message, link, told)
    const {slackThread, isRoom} = link.place
    return outcome && {...outcome, ...(isRoom !== true && {slackThread})}
  }

  /** What a message asked for that began work, here or in a Slack thread of its own. */
  const readTask = async (
    written: string,
    {ts, threadTs}: Written,
    link: Link,
  ): Promise<string> => {
    const isElsewhere = link.place.slackThread !== (threadTs ?? ts)
    const text = await readWritten(withoutMentions(written, botUserId), names)
    return readOptions(isElsewhere ? text.replace(NEW, '') : text).task
  }

  const toSend = async (
    message: Written,
    {key: inboxKey, id: inboxId}: Handling['row'],
    {delivery, model}: Meant,
  ): Promise<Omit<Edit, 'words' | 'correctionOf' | 'isOfMessage'>> => {
    const line = await senderLine(names, message)
    const toText = (token: string, words: string) => `${line} ${tokenMark(token)}\n${words}`
    const from = {inboxKey, inboxId, messageTs: message.ts, sender: message.user}
    return {...from, delivery, toText, ...(model !== undefined && {model})}
  }

  const toAnswer = ({ts}: Written, link: Link, told: Told): ActResult | undefined => {
    if (told.outcome === 'sent') replies.admitted(link, ts)
    if (told.outcome === 'kept') return {answer: keptMessage(told.send)}
    return told.outcome === 'declined' ? {answer: declinedMessage(told)} : undefined
  }

  return {tell, change}
}

/** It stands where the work does, for everybody who reads that. */
function isSaidAt({channel, ts, threadTs}: Written, {place}: Link): boolean {
  return place.isRoom === true ? channel === place.channel : (threadTs ?? ts) === place.slackThread
}

export function isOfMessageSend({inboxKey}: Send): boolean {
  return isOfMessage(inboxKey)
}

/** Below what a person wrote stands what goes along with it. */
function beginsWith(told: string | undefined, words: string): boolean {
  return told === words || told?.startsWith(`${words}\n`) === true
}
