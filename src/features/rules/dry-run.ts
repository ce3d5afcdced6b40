import type {RulePast} from '../../store/tables/rules/alerts.ts'
import type {Decision, Rule, RuleWork} from '../../store/tables/rules/rule.ts'
import type {AppMessage} from '../../slack/incoming/alert.ts'
import {type Reading, decide, matchRules} from './deciding.ts'
import {namesIn} from './own-work.ts'

/** A message that the rule fits, and what would have become of it; `taken`: by a rule before it. */
export interface Tried {
  message: AppMessage
  decision: Decision | {taken: Rule}
}

const HOUR_MS = 3_600_000

/**
 * What a rule would have made of messages, oldest first, had it been on with the rules that are: each at its own time, after what
 * it would have made of those before it. It starts nothing and counts nothing.
 */
export async function tryRule(
  rule: Rule,
  {
    rules,
    messages,
    works,
    reading,
  }: {
    rules: readonly Rule[]
    messages: readonly AppMessage[]
    works: readonly RuleWork[]
    reading: Reading
  },
): Promise<Tried[]> {
  const asIfOn = rules.map((one) => (one.id === rule.id ? {...rule, isOn: true} : one))
  const begun: {keyHash: string; atMs: number}[] = []
  const tried: Tried[] = []
  for (const message of messages) {
    const atMs = msOf(message.ts)
    const alone = await matchRules([{...rule, isOn: true}], message, reading)
    if (alone === undefined) continue
    const first = await matchRules(asIfOn, message, reading)
    if (first !== undefined && first.rule.id !== rule.id) {
      tried.push({message, decision: {taken: first.rule}})
      continue
    }
    const decision = judge(rule, {message, keyHash: alone.keyHash, atMs, begun, works})
    if (decision === 'start' || decision === 'ask') begun.push({keyHash: alone.keyHash, atMs})
    tried.push({message, decision})
  }
  return tried
}

interface Judging {
  message: AppMessage
  keyHash: string
  atMs: number
  begun: readonly {keyHash: string; atMs: number}[]
  works: readonly RuleWork[]
}

function judge(rule: Rule, {message, keyHash, atMs, begun, works}: Judging): Decision {
  const since = (ms: number) => begun.filter((one) => one.atMs > atMs - ms)
  const past: RulePast = {
    hasSame: since(rule.windowMinutes * 60_000).some((one) => one.keyHash === keyHash),
    inHour: since(HOUR_MS).length,
    inDay: since(24 * HOUR_MS).length,
  }
  const decision = decide(rule, past, atMs)
  const isWanted = decision === 'start' || decision === 'ask'
  return isWanted && works.some(namesIn(message.whole)) ? 'own' : decision
}

/** Of a message, by its `ts`: never read as one number. */
export function msOf(ts: string): number {
  const [seconds = '0', micros = '0'] = ts.split('.')
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}
