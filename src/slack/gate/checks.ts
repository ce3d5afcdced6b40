import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {type MisplacedDeps, endIfMisplaced} from '../../agents/follow.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import type {Notification, NotificationStore} from '../../store/tables/work/notifications.ts'
import type {Send} from '../../store/tables/work/send.ts'
import type {Interaction} from '../incoming/interaction.ts'
import type {Form} from '../incoming/form.ts'
import type {Press} from '../incoming/press.ts'
import {HOME} from '../ids.ts'
import {openedAt} from '../answers/answers.ts'
import {cardNoticeText, texts} from '../texts.ts'
import {type Check, Refusal, type Standing} from './act.ts'

const NOT_HERE = new Refusal({text: texts.notHere})
const FORGOTTEN = new Refusal({text: texts.forgotten})

/** Ids in buttons are opaque, and a payload proves nothing: what an act is about is read from our own tables. */
export interface Checks {
  /** It is about nothing in particular. */
  member: Check<Interaction, undefined>
  /** … on the work that the button belongs to, in the place where it stands. */
  onLink: Check<Press, Link>
  /** … on the message to the agent that the button belongs to. */
  onSend: Check<Press, {link: Link; send: Send}>
  /** … on the call that the button belongs to. */
  onNotification: Check<Press, {link: Link; notification: Notification}>
  /** In the channel in which the form was opened. */
  inForm: Check<Form | Press, string>
  /** Somebody in their own App Home. */
  atHome: Check<Press, undefined>
}

/** Words that lead to the Slack thread of the agent whose task a link follows. */
export type WhereAgentIs = (link: Link) => Promise<string | undefined>

export function createChecks(
  deps: FollowUpDeps & {notifications: NotificationStore},
  whereAgentIs: WhereAgentIs,
): Checks {
  const linkOf = async (press: Press, id: string): Promise<Link | undefined> => {
    const link = await deps.links.byId(id)
    if (link === undefined || !isReached(link, press)) return undefined
    const now = await endIfMisplaced(deps, link)
    return now.notice?.code === 'misplaced' ? undefined : now
  }

  return {
    member: {name: 'nothing in particular', look: async () => undefined},
    onLink: {
      name: 'on work here',
      look: async (press) => {
        const link = await deps.links.byId(press.value.split('.', 1)[0] ?? '')
        if (link === undefined) return FORGOTTEN
        if (!isReached(link, press)) return NOT_HERE
        return refuseElsewhere(deps, link, whereAgentIs)
      },
      standing: standingOfLink,
    },
    onSend: {
      name: 'on a message here',
      look: async (press) => {
        const send = await deps.sends.byId(press.value.split('.', 1)[0] ?? '')
        const link = send && (await linkOf(press, send.linkId))
        return send === undefined || link === undefined ? NOT_HERE : {link, send}
      },
      standing: ({link, send}) => ({
        ...standingOfLink(link),
        owners: [send.sender, link.startedBy],
        about: send.id,
      }),
    },
    onNotification: {
      name: 'on a call here',
      look: async (press) => {
        const notification = await deps.notifications.byId(press.value.split('.', 1)[0] ?? '')
        const link = notification && (await linkOf(press, notification.linkId))
        return notification === undefined || link === undefined ? NOT_HERE : {link, notification}
      },
      standing: ({link}) => standingOfLink(link),
    },
    inForm: {
      name: 'where the form was opened',
      look: async ({view}) => openedAt(view?.metadata)?.channel ?? NOT_HERE,
      standing: (channel) => ({channel}),
    },
    atHome: {
      name: 'in App Home',
      look: async (press) => {
        return press.view?.callbackId === HOME ? undefined : NOT_HERE
      },
    },
  }
}

/**
 * Whatever is done to a task is done to its whole agent, and so it is done where that is. What is private somewhere else is
 * nobody's here: nothing more is told of it, and nothing done to it.
 */
export async function refuseElsewhere(
  deps: MisplacedDeps,
  link: Link,
  whereAgentIs: WhereAgentIs,
): Promise<Link | Refusal> {
  const now = await endIfMisplaced(deps, link)
  const {taskId, notice} = now
  if (notice?.code === 'misplaced') return new Refusal({text: cardNoticeText(notice)})
  if (taskId === undefined) return now
  return new Refusal({text: texts.tasks.readOnly(await whereAgentIs(link))})
}

export function standingOfLink({id, place, startedBy}: Link): Standing {
  return {channel: place.channel, owners: [startedBy], about: id}
}

/** App Home has no channel: what stands there is the reader's own work, and nobody else's. */
function isReached({place, startedBy}: Link, press: Press): boolean {
  const isAtHome = press.channel === undefined && press.view?.callbackId === HOME
  return isAtHome ? place.team === press.team && startedBy === press.user : isHere(place, press)
}

/**
 * Whether a press was made in this Slack thread, or in a modal that was opened there; or in the preview of a link, anywhere in
 * its channel.
 */
export function isHere({team, channel, slackThread}: Place, press: Press): boolean {
  if (press.channel === undefined) {
    const at = openedAt(press.view?.metadata)
    return team === press.team && channel === at?.channel && slackThread === at.slackThread
  }
  const isThisThread =
    press.threadTs === undefined || press.threadTs === slackThread || press.isInUnfurl === true
  return team === press.team && channel === press.channel && isThisThread
}
