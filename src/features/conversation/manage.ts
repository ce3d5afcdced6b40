import {type StopDeps, stopWork} from '../../agents/stopping.ts'
import {type WorkDeps, retitleWork, takeOverWork} from '../../agents/lifecycle.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Shortcut} from '../../slack/incoming/shortcut.ts'
import {ACTIONS, SHORTCUTS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {refuseElsewhere, standingOfLink} from '../../slack/gate/checks.ts'
import type {ManageModal} from './manage-modal.ts'
import {conversationTexts} from './texts.ts'
import type {ActTools, Tools} from '../../slack/gate/tools.ts'
import {workAt} from './work-at.ts'

interface ManageActsOptions extends ActTools<'settingsOf' | 'whereAgentIs'> {
  deps: StopDeps
  manageModal: ManageModal
}

/** What is done to work from its card, from its menu, and from the modal that has all of it. */
export function createManageActs(options: ManageActsOptions): Act[] {
  const {act, checks, deps, manageModal, whereAgentIs} = options
  const {onLink} = checks
  const {done, takenOver} = conversationTexts.manage
  const setMuted = createMuting({...deps, settingsOf: options.settingsOf})

  const onThread: Check<Shortcut, Link> = {
    name: 'in the Slack thread of work',
    look: async (shortcut) => {
      const {team, channel, message} = shortcut
      const slackThread = message.threadTs ?? message.ts
      const link = await workAt(deps.links, {team, channel, slackThread})
      if (link === undefined) return new Refusal({text: conversationTexts.manage.notBound})
      return refuseElsewhere(deps, link, whereAgentIs)
    },
    standing: standingOfLink,
  }
  const open = async (
    {triggerId}: {triggerId: string},
    link: Link,
    {signal}: {signal: AbortSignal},
  ): Promise<ActResult | undefined> => {
    if (await manageModal.open(triggerId, link, signal)) return undefined
    return {answer: {text: texts.tooLateToOpen}, again: true}
  }
  const muting = (want: 'mute' | 'unmute'): Act =>
    act('press', ACTIONS[want], onLink, async (press, link) => {
      // What changed stands on the card that it was pressed on.
      const isNews = link.muted !== (want === 'mute')
      const words = await setMuted(link, want)
      if (press.view === undefined) return isNews ? undefined : {answer: {text: words.said}}
      return manageModal.tell(press, link, {outcome: 'done'}, words.done)
    })

  return [
    act('press', ACTIONS.stop, onLink, async (press, link, handling) =>
      manageModal.tell(press, link, await stopWork(deps, link, press.user, handling), done.stop),
    ),
    act('press', ACTIONS.newTitle, onLink, async (press, link, {signal}) => {
      const result = await retitleWork(deps, link, signal)
      if (result.outcome === 'declined') return manageModal.tell(press, link, result, '')
      const {title = link.title} = result
      if (title !== link.title)
        return manageModal.tell(press, link, result, done.newTitle(title ?? ''))
      if (press.view === undefined) return {answer: {text: done.sameTitle}, again: true}
      return manageModal.tell(press, link, result, done.sameTitle)
    }),
    act('press', ACTIONS.takeOver, onLink, async (press, link, {signal}) =>
      manageModal.tell(press, link, await takeOverWork(deps, link, signal), takenOver),
    ),
    muting('mute'),
    muting('unmute'),
    act('press', ACTIONS.details, onLink, open),
    act('shortcut', SHORTCUTS.manage, onThread, open),
  ]
}

/** Stops and resumes listening in the Slack thread of the work; what to tell whoever asked for it, there and in the modal. */
type Mute = (link: Link, want: 'mute' | 'unmute') => Promise<{said: string; done: string}>

export function createMuting({
  links,
  show,
  settingsOf,
}: Pick<WorkDeps, 'links' | 'show'> & Pick<Tools, 'settingsOf'>): Mute {
  const {words, manage} = conversationTexts

  const heardAgain = async ({place: {team, channel, isRoom}}: Link) => {
    const {values} = await settingsOf(team, channel)
    // A room is all the agent's.
    return isRoom !== true && values.followUps === 'mention'
      ? {
          now: words.unmutedToMentions,
          before: words.notMutedToMentions,
          done: manage.done.unmuteToMentions,
        }
      : {now: words.unmuted, before: words.notMuted, done: manage.done.unmute}
  }

  return async (link, want) => {
    const isMuted = want === 'mute'
    const {now, before, done} = isMuted
      ? {now: words.muted, before: words.alreadyMuted, done: manage.done.mute}
      : await heardAgain(link)
    if (link.muted === isMuted) return {said: before, done}
    await links.change(link.id, {muted: isMuted})
    await show(link.id)
    return {said: now, done}
  }
}
