import {cancelMessage} from '../../agents/sends/send-edits.ts'
import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {messageKeyOf} from '../../slack/incoming/arrival.ts'
import {
  type MessageChanged,
  type MessageDeleted,
  type PersonsMessage,
  isMention,
} from '../../slack/incoming/message.ts'
import {type Act, type Check, Refusal} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
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

/** Who corrects an old message does not ask for work. */
const MAX_AGE_SECONDS = 24 * 3600

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

  const isAnew = async (message: MessageChanged, link: Link | undefined): Promise<boolean> => {
    const {channel, ts, eventTs, before, text} = message
    if (Number(eventTs) - Number(ts) > MAX_AGE_SECONDS) return false
    const isForUs = channel.startsWith('D') || isMention({text}, botUserId)
    if (!isForUs || link === undefined) return isForUs
    const isBegun = link.requestId === messageRequestId(message)
    if (isBegun || isMention({text: before}, botUserId)) return false
    return (await deps.sends.ofMessage(link.id, ts)).length === 0
  }

  const onChanged: Check<MessageChanged, Changed> = {
    name: 'its author, where it concerns us',
    look: async (message) => {
      const link = await workOf(message)
      if (!(await isAnew(message, link))) return link === undefined ? 'none' : {link}
      const found = await messages.concerned.look(asWritten(message))
      return found === 'none' || found instanceof Refusal ? found : {anew: found}
    },
    standing: (found) =>
      'link' in found
        ? standingOfLink(found.link)
        : (messages.concerned.standing?.(found.anew) ?? {}),
  }

  const onDeleted: Check<MessageDeleted, {link: Link} | {start: Start}> = {
    name: 'its author, where it concerns us',
    look: async (message) => {
      const link = await workOf(message)
      if (link !== undefined) return {link}
      const start = await deps.starts.byRequest(messageRequestId(message))
      return start === undefined ? 'none' : {start}
    },
    standing: (found) =>
      'link' in found ? standingOfLink(found.link) : standingOfStart(found.start),
  }

  return [
    act('message changed', '', onChanged, (message, found, handling) => {
      if ('link' in found) return followUps.change(message, found.link, handling)
      // Slack may say of it as of a new one, too: what comes of it is known by that one's key.
      const row = {...handling.row, key: messageKeyOf(message)}
      return messages.handle(asWritten(message), found.anew, {...handling, row})
    }),
    act(
      'message deleted',
      '',
      onDeleted,
      async ({ts: messageTs, user: sender}, found, {signal}) => {
        const gone = {messageTs, sender, isOfMessage: isOfMessageSend}
        if ('link' in found) await cancelMessage(deps, found.link, gone, signal)
        // Nothing begins from a question about it.
        else await deps.starts.drop(found.start.id)
        return undefined
      },
    ),
  ]
}

/** The message as it stands now. */
function asWritten(message: MessageChanged): PersonsMessage {
  const {team, user, userTeam, channel, ts, threadTs, text, files, forwarded} = message
  const isDirect = channel.startsWith('D')
  return {
    kind: 'message',
    team,
    user,
    userTeam,
    channel,
    ts,
    threadTs,
    text,
    files,
    forwarded,
    isDirect,
  }
}
