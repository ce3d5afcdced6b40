import {type StopDesk, stopWork} from '../../agents/stopping.ts'
import {retitleWork, takeOverWork} from '../../agents/work.ts'
import type {Link} from '../../store/link.ts'
import type {Shortcut} from '../../slack/deeds/shortcut.ts'
import {ACTIONS, SHORTCUTS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type MakeAct, type Outcome, Refusal} from '../../slack/gate/act.ts'
import {
  type Checks,
  type WhereAgentIs,
  refuseTask,
  standingOfLink,
} from '../../slack/gate/checks.ts'
import type {Board} from './board.ts'
import {createMuting} from './muting.ts'

interface ManageActsOptions {
  act: MakeAct
  checks: Checks
  desk: StopDesk
  board: Board
  whereAgentIs: WhereAgentIs
}

/** What is done to work from its card, from its menu, and from the modal that has all of it. */
export function createManageActs(options: ManageActsOptions): Act[] {
  const {act, checks, desk, board, whereAgentIs} = options
  const {onLink} = checks
  const {done, takenOver} = texts.talk.manage
  const setMuted = createMuting(desk)

  const onThread: Check<Shortcut, Link> = {
    name: 'in the Slack thread of work',
    look: async (shortcut) => {
      const {team, channel, message} = shortcut
      const slackThread = message.threadTs ?? message.ts
      const link = await desk.links.byPlace({team, channel, slackThread})
      if (link === undefined) return new Refusal({text: texts.talk.manage.notBound})
      return refuseTask(link, whereAgentIs)
    },
    standing: standingOfLink,
  }
  const open = async (
    {triggerId}: {triggerId: string},
    link: Link,
    {signal}: {signal: AbortSignal},
  ): Promise<Outcome | undefined> => {
    if (await board.open(triggerId, link, signal)) return undefined
    return {answer: {text: texts.tooLateToOpen}, again: true}
  }
  const muting = (want: 'mute' | 'unmute'): Act =>
    act('press', ACTIONS[want], onLink, async (press, link) => {
      const words = await setMuted(link, want)
      if (press.view === undefined) return {answer: {text: words}}
      return board.tell(press, link, {outcome: 'done'}, done[want])
    })

  return [
    act('press', ACTIONS.stop, onLink, async (press, link, handling) =>
      board.tell(press, link, await stopWork(desk, link, press.user, handling), done.stop),
    ),
    act('press', ACTIONS.newTitle, onLink, async (press, link, {signal}) => {
      const result = await retitleWork(desk, link, signal)
      if (result.outcome === 'declined') return board.tell(press, link, result, '')
      const {title = link.title} = result
      if (title !== link.title) return board.tell(press, link, result, done.newTitle(title ?? ''))
      if (press.view === undefined) return {answer: {text: done.sameTitle}}
      return board.tell(press, link, result, done.sameTitle)
    }),
    act('press', ACTIONS.takeOver, onLink, async (press, link, {signal}) =>
      board.tell(press, link, await takeOverWork(desk, link, signal), takenOver),
    ),
    muting('mute'),
    muting('unmute'),
    act('press', ACTIONS.details, onLink, open),
    act('shortcut', SHORTCUTS.manage, onThread, open),
  ]
}
