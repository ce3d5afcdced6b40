import {type FollowUpDesk, lookUp, sendAgain} from '../inbox/follow-up.ts'
import {TryLater} from '../inbox/try-later.ts'
import {type Declined, archiveWork, stopWork, unarchiveWork} from '../inbox/work.ts'
import type {Handling} from '../inbox/worker.ts'
import type {Link} from '../store/links.ts'
import type {Press} from './delivery.ts'
import {ACTIONS, type ActionId} from './ids.ts'
import type {Replies} from './replies.ts'
import {declinedText, texts} from './texts.ts'

type PressHandler = (press: Press, handling: Handling) => Promise<void>

/** Every button of ours but [Open], which is a link. */
export type PressHandlers = Readonly<Record<Exclude<ActionId, typeof ACTIONS.open>, PressHandler>>

type Outcome = Declined | {outcome: 'done' | 'sent' | 'unsure'}

/**
 * What a press does. What it is about is read from our own tables by the opaque id in the button, and
 * must belong to the place where it was pressed: a payload proves nothing.
 */
export function createPressHandlers({
  desk,
  replies,
}: {
  desk: FollowUpDesk
  replies: Replies
}): PressHandlers {
  const say = async (press: Press, handling: Handling, text: string): Promise<void> => {
    const asker = {channel: press.channel, user: press.user, slackThread: press.threadTs}
    if (await handling.mayTell()) replies.whisper(asker, text)
  }

  const decline = async (press: Press, handling: Handling, text: string): Promise<void> => {
    await say(press, handling, text)
    handling.release()
  }

  const report = async (press: Press, handling: Handling, outcome: Outcome): Promise<void> => {
    if (outcome.outcome === 'declined') await decline(press, handling, declinedText(outcome))
    if (outcome.outcome === 'unsure') await say(press, handling, texts.unsure.stillUnsure)
  }

  /** Runs the act, and says so while it has to wait. */
  const attend = async (
    press: Press,
    handling: Handling,
    act: () => Promise<Outcome>,
  ): Promise<void> => {
    if (press.userTeam !== undefined && press.userTeam !== press.team) {
      await decline(press, handling, texts.notForGuests)
      return
    }
    try {
      await report(press, handling, await act())
    } catch (error) {
      if (error instanceof TryLater) await say(press, handling, texts.platformSilent)
      throw error
    }
  }

  const onLink =
    (act: (link: Link, press: Press, signal: AbortSignal) => Promise<Outcome>): PressHandler =>
    async (press, handling) => {
      const link = await desk.links.byId(press.value.split('.', 1)[0] ?? '')
      if (link === undefined || !isHere(link, press)) {
        await decline(press, handling, texts.notHere)
        return
      }
      await attend(press, handling, () => act(link, press, handling.signal))
    }

  const onSend =
    (act: typeof lookUp): PressHandler =>
    async (press, handling) => {
      const send = await desk.sends.byId(press.value)
      const link = send && (await desk.links.byId(send.linkId))
      if (send === undefined || link === undefined || !isHere(link, press)) {
        await decline(press, handling, texts.notHere)
        return
      }
      await attend(press, handling, async () => {
        if (send.state !== 'unsure') return {outcome: 'sent'}
        const outcome = await act(desk, link, send, handling.signal)
        if (outcome.outcome === 'sent') replies.admitted(link.place.channel, send.messageTs)
        return outcome
      })
    }

  return {
    [ACTIONS.stop]: onLink((link, {user}, signal) => stopWork(desk, link, user, signal)),
    [ACTIONS.archive]: onLink((link, _press, signal) => archiveWork(desk, link, signal)),
    [ACTIONS.unarchive]: onLink((link, _press, signal) => unarchiveWork(desk, link, signal)),
    [ACTIONS.checkAgain]: onSend(lookUp),
    [ACTIONS.sendAgain]: onSend(sendAgain),
  }
}

function isHere({place}: Link, {team, channel, threadTs}: Press): boolean {
  const isThisThread = threadTs === undefined || threadTs === place.slackThread
  return place.team === team && place.channel === channel && isThisThread
}
