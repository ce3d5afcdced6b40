import {type WorkDeps, giveUpWork} from '../../agents/lifecycle.ts'
import {beginRowOf} from '../../inbox/rule-rows.ts'
import {createTimeSlices} from '../../async/time-slices.ts'
import type {Handling} from '../../inbox/worker.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {Alert, AlertStore} from '../../store/tables/rules/alerts.ts'
import type {Wish} from '../../store/tables/rules/rule.ts'
import type {RuleStore} from '../../store/tables/rules/rules.ts'
import type {Replies} from '../../slack/answers/replies.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import {type Begin, type StartRequest, messageRequestId} from '../../slack/gate/start-request.ts'
import type {AppMessage} from '../../slack/incoming/alert.ts'
import {threadLaneOf} from '../../slack/incoming/arrival.ts'
import {texts} from '../../slack/texts.ts'
import {type Matched, decide, matchRules} from './deciding.ts'
import {namesIn} from './own-work.ts'
import {createPatterns} from './pattern.ts'
import {fillTask} from './template.ts'
import {ruleTexts} from './texts.ts'
import {type Ourselves, isOurs} from '../../slack/incoming/ourselves.ts'

/** What becomes of messages of apps, as the rules of their channels say it. */
export interface Alerts {
  /** An app has written something: it is decided what becomes of it, once however often it is heard. */
  hear(message: AppMessage): Promise<void>
  /** What a rule has decided to begin. */
  begin(alertId: string, handling: Handling): Promise<void>
  /** That is given up. */
  giveUp(alertId: string): Promise<void>
}

interface AlertsOptions extends Ourselves {
  deps: {rules: RuleStore; alerts: AlertStore} & Pick<WorkDeps, 'links' | 'show'>
  begin: Begin
  permalinks: Pick<Permalinks, 'find'>
  replies: Pick<Replies, 'say'>
  /** A row of this workspace waits in the inbox. */
  onRow: (team: string) => void
  /** The channel has something to hear. */
  onTold: () => void
  nowMs: () => number
}

export function createAlerts(options: AlertsOptions): Alerts {
  const {deps, begin, permalinks, replies, nowMs} = options
  const reading = {read: createPatterns(), turns: createTimeSlices()}

  const decideOn = async (message: AppMessage, matched: Matched): Promise<Alert | 'stale'> => {
    const {team, channel, ts, threadTs} = message
    const {rule, keyHash} = matched
    const atMs = nowMs()
    return deps.alerts.decide(
      {team, channel, ts},
      {
        ...{rule, keyHash, nowMs: atMs, user: NOBODY, wish: wishOf(message, matched)},
        judge: (past) => decide(rule, past, atMs),
        isAbout: namesIn(message.whole),
        toRow: (id) => beginRowOf(id, {team, lane: threadLaneOf({team, channel, ts, threadTs})}),
      },
    )
  }

  const hear: Alerts['hear'] = async (message) => {
    if (isOurs(message, options)) return
    for (;;) {
      const matched = await matchRules(await deps.rules.ofChannel(message), message, reading)
      if (matched === undefined) return
      const decided = await decideOn(message, matched)
      // An admin has changed it in this very moment: then it is judged by what it says now.
      if (decided === 'stale') continue
      if (decided.decision === 'start') options.onRow(message.team)
      else options.onTold()
      return
    }
  }

  return {
    hear,
    begin: async (alertId, handling) => {
      const alert = await deps.alerts.byId(alertId)
      if (alert?.wish === undefined) return
      const rule = await deps.rules.byId(alert.ruleId)
      // Who turns a rule off means what has not begun, too.
      if (rule?.isOn === true) {
        const request = await requestOf(alert, alert.wish, permalinks)
        const outcome = await begin(request, {team: alert.team, user: NOBODY}, handling)
        const text = outcome?.answer?.text
        if (text !== undefined && (await handling.mayTell('outcome'))) {
          const {channel, ts: slackThread} = alert
          replies.say({channel, slackThread}, {text: ruleTexts.notStarted(text)})
        }
      }
      await deps.alerts.settle(alertId)
    },
    giveUp: async (alertId) => {
      const alert = await deps.alerts.byId(alertId)
      if (alert?.wish === undefined) return
      const {team, channel, ts: slackThread} = alert
      const hasCard = await giveUpWork(deps, {team, requestId: messageRequestId(alert)})
      await deps.alerts.settle(alertId)
      if (hasCard) return
      replies.say({channel, slackThread}, {text: ruleTexts.notStarted(texts.somethingBroke)})
    },
  }
}

function wishOf({app, text}: AppMessage, {rule, values}: Matched): Wish {
  const {id, name, person, task} = rule
  const mark = {id, name, ...(person !== undefined && {person})}
  // Its own words are kept once.
  return {rule: mark, task, values: {...values, text: shortOf(text)}, app, text}
}

/** Of what a place shows. */
function shortOf(text: string): string {
  return text.slice(0, 400)
}

/** What begins in the Slack thread of the app's message, whoever begins it. */
export async function requestOf(
  alert: Pick<Alert, 'team' | 'channel' | 'ts'>,
  {rule, task, values, app, text}: Wish,
  permalinks: Pick<Permalinks, 'find'>,
): Promise<StartRequest> {
  const {channel, ts: slackThread} = alert
  const link = task.includes('{link}') ? await permalinks.find({channel, slackThread}) : undefined
  return {
    requestId: messageRequestId(alert),
    ...{channel, slackThread, rule},
    task: fillTask(task, values, link ?? ''),
    ...{options: {}, files: [], forwarded: []},
    picked: {
      author: app === '' ? texts.quoting.anApp : texts.quoting.app(app),
      text,
      files: [],
      forwarded: [],
    },
  }
}
