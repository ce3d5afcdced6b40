import {cancelMessage} from '../../agents/sends/send-edits.ts'
import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {messageKeyOf} from '../../slack/incoming/arrival.ts'
import {
  type MessageChanged,
  type MessageDeleted,
  type PersonsMessage,
  isMention,
  isOldBy,
} from '../../slack/incoming/message.ts'
import {type Act, type Check, Refusal} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import {hadLeak} from '../../slack/secrecy.ts'
import {messageRequestId, standingOfStart} from '../../slack/gate/start-request.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Start, StartStore} from '../../store/tables/work/starts.ts'
import {type FollowUps, isOfMessageSend} from './follow-ups.ts'
import type {Concerned, Messages} from './messages.ts'

interface EditActsOptions extends Omit<ActTools<'botUserId'>, 'checks'> {
  deps: FollowUpDeps & {starts: Pick<StartStore, 'byRequest' | 'drop'>}
  followUps: FollowUps
  messages: Messages
}

/** `anew`: of what it said before nothing was for us, or nothing came of it; it is heard as if it had been written now. */
type Changed = {anew: Concerned} | {link: Link}

interface Gone {
  link: Link | undefined
  start: Start | undefined
}

/** What becomes of a message that its author edits or deletes. */
export function createEditActs(options: EditActsOptions): Act[] {
  const {act, deps, followUps, messages, botUserId} = options

  /** Work that it began, or of the place that it stands in; of all others we know nothing. */
  const workOf = async (message: MessageChanged | MessageDeleted): Promise<Link | undefined> => {
    const {team, channel, threadTs} = message
    const found =
      (await deps.links.byRequest(messageRequestId(message))) ??
      (await deps.links.inRoom({team, channel}))
    if (found !== undefined) return found
    // Written where a captain is at home.
    if (threadTs === undefined) return deps.links.homeOf({team, channel})
    return deps.links.byPlace({team, channel, slackThread: threadTs})
  }

  /** It began this work, or went to its agent; of what people say to each other below it we know nothing. */
  const isOurs = async (
    message: MessageChanged | MessageDeleted,
    link: Link | undefined,
  ): Promise<boolean> => {
    if (link === undefined) return false
    if (link.requestId === messageRequestId(message)) return true
    // A key that an edit has put in is said, wherever.
    if (message.kind === 'message changed' && hadLeak(message)) return true
    return (await deps.sends.ofMessage(link.id, message.ts)).length > 0
  }

  /** What stands of a start that something was asked about. */
  const askedOf = (message: MessageChanged | MessageDeleted): Promise<Start | undefined> =>
    deps.starts.byRequest(messageRequestId(message))

  const isAnew = async (message: MessageChanged, link: Link | undefined): Promise<boolean> => {
    const {channel, ts, eventTs, before, text} = message
    if (isOldBy(eventTs, message)) return false
    const isMentioning = isMention({text}, botUserId)
    const isForUs = channel.startsWith('D') || isMentioning
    if (!isForUs || link === undefined) return isForUs
    if (link.requestId === messageRequestId(message)) return false
    if ((await askedOf(message)) !== undefined) return true
    // A word that was heeded is no less one without a mention; where Slack does not say what stood there, it may have been one.
    if (!isMentioning || before === undefined || isMention({text: before}, botUserId)) return false
    return (await deps.sends.ofMessage(link.id, ts)).length === 0
  }

  const onChanged: Check<MessageChanged, Changed> = {
    name: 'its author, where it concerns us',
    look: async (message) => {
      const link = await workOf(message)
      if (!(await isAnew(message, link))) {
        return link !== undefined && (await isOurs(message, link)) ? {link} : 'none'
      }
      const found = await messages.concerned.look(asWritten(message))
      return found === 'none' || found instanceof Refusal ? found : {anew: found}
    },
    standing: (found) =>
      'link' in found
        ? standingOfLink(found.link)
        : (messages.concerned.standing?.(found.anew) ?? {}),
  }

  const onDeleted: Check<MessageDeleted, Gone> = {
    name: 'its author, where it concerns us',
    look: async (message) => {
      const [link, start] = [await workOf(message), await askedOf(message)]
      const isNothing = start === undefined && !(await isOurs(message, link))
      return isNothing ? 'none' : {link, start}
    },
    standing: ({link, start}) => {
      if (link !== undefined) return standingOfLink(link)
      return start === undefined ? {} : standingOfStart(start)
    },
  }

  return [
    act('message changed', '', onChanged, (message, found, handling) => {
      if ('link' in found) return followUps.change(message, found.link, handling)
      // Slack may say of it as of a new one, too: what comes of it is known by that one's key.
      const row = {...handling.row, key: messageKeyOf(message)}
      return messages.handle(asWritten(message), found.anew, {...handling, row})
    }),
    act('message deleted', '', onDeleted, async ({ts, user}, {link, start}, {signal}) => {
      const message = {messageTs: ts, sender: user, isOfMessage: isOfMessageSend}
      if (link !== undefined) await cancelMessage(deps, link, message, signal)
      // Nothing begins any more from what was asked about it.
      if (start !== undefined && start.requestId !== link?.requestId) {
        await deps.starts.drop(start.id)
      }
      return undefined
    }),
  ]
}

/** The message as it stands now. */
function asWritten(message: MessageChanged): PersonsMessage {
  return {...message, kind: 'message', isDirect: message.channel.startsWith('D')}
}
