import {createTimeSlices} from '../../../src/async/time-slices.ts'
import {type Matched, decide, matchRules} from '../../../src/features/rules/deciding.ts'
import {namesIn} from '../../../src/features/rules/own-work.ts'
import {createPatterns} from '../../../src/features/rules/pattern.ts'
import type {AppMessage} from '../../../src/slack/incoming/alert.ts'
import type {Alert} from '../../../src/store/tables/rules/alerts.ts'
import type {Rule} from '../../../src/store/tables/rules/rule.ts'
import type {Store} from '../../../src/store/store.ts'

const TEAM = 'T1'
export const CHANNEL = 'C1'
const reading = {read: createPatterns(), turns: createTimeSlices()}

export function ruleOf(id: string, more: Partial<Rule> = {}): Rule {
  return {
    ...{id, team: TEAM, channel: CHANNEL, name: id, app: 'A1', appName: undefined, pattern: ''},
    ...{does: 'start', task: 'look', dedupeKey: undefined, windowMinutes: 60, perHour: 5},
    ...{perDay: 20, quiet: undefined, person: undefined, isOn: true, changedBy: 'U1'},
    ...{changedAtMs: 2, ...more},
  }
}

export function messageOf(ts: string, more: Partial<AppMessage> = {}): AppMessage {
  const text = more.text ?? 'it broke'
  return {
    ...{team: TEAM, channel: CHANNEL, ts, threadTs: undefined, user: undefined, appId: 'A1'},
    ...{botId: 'B1', app: 'App', text, whole: JSON.stringify({text}), ...more},
  }
}

/** Puts rules into the tables as they are, on or off. */
export async function keepRules(store: Pick<Store, 'rules'>, rules: readonly Rule[]) {
  for (const rule of rules) {
    const {id, team, channel} = rule
    await store.rules.add(id, {team, channel}, rule, {user: 'U1', nowMs: 1})
    if (rule.isOn) await store.rules.turn(id, true, {user: 'U1', nowMs: 2, sinceMs: 1})
  }
}

/** What the bot does with a message, at this time. */
export async function hear(
  store: Pick<Store, 'rules' | 'alerts'>,
  message: AppMessage,
  nowMs: number,
): Promise<(Alert & {matched: Matched}) | undefined> {
  const matched = await matchRules(await store.rules.ofChannel(message), message, reading)
  if (matched === undefined) return undefined
  const {rule, keyHash} = matched
  const {team, channel, ts} = message
  const alert = await store.alerts.decide(
    {team, channel, ts},
    {
      ...{rule, keyHash, nowMs, user: 'nobody'},
      judge: (past) => decide(rule, past, nowMs),
      isAbout: namesIn(message.whole),
      wish: {rule: {id: rule.id, name: rule.name}, task: 'look', values: {}, app: '', text: ''},
      toRow: (id) => ({key: id, team, lane: id, body: '{}'}),
    },
  )
  if (alert === 'stale') throw new Error('The rule has changed.')
  return {...alert, matched}
}
