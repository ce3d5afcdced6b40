import type {Handling} from '../../inbox/worker.ts'
import {toPerson} from '../../store/tables/channels/announcement.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {Alert, AlertStore} from '../../store/tables/rules/alerts.ts'
import type {Wish} from '../../store/tables/rules/rule.ts'
import type {RuleStore} from '../../store/tables/rules/rules.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {type Act, type ActResult, type Check, Refusal} from '../../slack/gate/act.ts'
import type {Begin} from '../../slack/gate/start-request.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {requestOf} from './alerts.ts'
import {ruleTexts} from './texts.ts'
import {DECLINED, STARTED} from './views/told.ts'

interface AskedActsOptions extends ActTools<'announcer' | 'permalinks'> {
  deps: {
    alerts: AlertStore
    announcements: Pick<AnnouncementStore, 'end'>
    rules: Pick<RuleStore, 'byId'>
  }
  begin: Begin
}

type Asked = Alert & {wish: Wish}

/** [Start] and [Not this one] below an app's message: whoever is first answers, and whoever starts it has asked for it. */
export function createAskedActs({
  act,
  announcer,
  deps,
  begin,
  permalinks,
}: AskedActsOptions): Act[] {
  const onAsked: Check<Press, Asked> = {
    name: 'on a message that a rule here asks about',
    look: async ({team, channel, threadTs, value}) => {
      const alert = await deps.alerts.byId(value)
      const isHere = alert?.team === team && alert.channel === channel && alert.ts === threadTs
      if (!isHere || alert.decision !== 'ask') return new Refusal({text: ruleTexts.tooOld})
      const {wish} = alert
      return wish === undefined ? new Refusal({text: ruleTexts.decided}) : {...alert, wish}
    },
    standing: ({channel, id}) => ({channel, about: id}),
  }

  /** They may press before we have noted that it stands. */
  const end = async ({id}: Asked, {user, messageTs}: Press, answer: string): Promise<void> => {
    await deps.announcements.end(id, toPerson(user), {answer, ts: messageTs})
    await deps.alerts.settle(id)
    announcer.wake()
  }

  const start = async (
    press: Press,
    asked: Asked,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const {team, user} = press
    // Who turns a rule off means what has not begun, too.
    if ((await deps.rules.byId(asked.ruleId))?.isOn !== true) {
      return {answer: {text: ruleTexts.notOn}, again: true}
    }
    if (!(await deps.alerts.take(asked.id, handling.row.key))) {
      return {answer: {text: ruleTexts.decided}}
    }
    const request = await requestOf(asked, asked.wish, permalinks)
    const outcome = await begin(request, {team, user}, handling)
    if (outcome === undefined) {
      await end(asked, press, STARTED)
      return undefined
    }
    // They are told why, and somebody may press again.
    await deps.alerts.release(asked.id)
    return {...outcome, again: true}
  }

  const decline = async (
    press: Press,
    asked: Asked,
    {row}: Handling,
  ): Promise<ActResult | undefined> => {
    if (!(await deps.alerts.take(asked.id, row.key))) return {answer: {text: ruleTexts.decided}}
    await end(asked, press, DECLINED)
    return undefined
  }

  return [
    act('press', ACTIONS.ruleStart, onAsked, start),
    act('press', ACTIONS.ruleNot, onAsked, decline),
  ]
}
