import {createHash} from 'node:crypto'
import type {TimeSlices} from '../../async/time-slices.ts'
import {shownAt} from '../../inbox/zones.ts'
import type {RulePast} from '../../store/tables/rules/alerts.ts'
import type {Decision, QuietHours, Rule} from '../../store/tables/rules/rule.ts'
import type {AppMessage} from '../../slack/incoming/alert.ts'
import {clock} from '../../slack/markup/lines.ts'
import type {ReadPattern} from './pattern.ts'
import {fillKey} from './template.ts'

/** A message, and the first rule that it fits. */
export interface Matched {
  rule: Rule
  /** What its words put into the places of the rule's texts. */
  values: Readonly<Record<string, string>>
  /** SHA-256 of what it has in common with others about the same. */
  keyHash: string
}

type Said = Pick<AppMessage, 'threadTs' | 'appId' | 'botId' | 'app' | 'text'>

/** How patterns are read, and when: each in a turn of the event loop that has time for it. */
export interface Reading {
  read: (pattern: string) => ReadPattern
  turns: TimeSlices
}

/** The first of the rules that are on, in their order, that the message fits; a reply fits none. */
export async function matchRules(
  rules: readonly Rule[],
  message: Said,
  {read, turns}: Reading,
): Promise<Matched | undefined> {
  if (message.threadTs !== undefined) return undefined
  for (const rule of rules) {
    if (!rule.isOn || !isOfApp(rule, message)) continue
    const turn = turns()
    if (turn !== undefined) await turn
    const values = findIn(rule, message, read)
    if (values !== undefined) return {rule, values, keyHash: hashKey(rule, values)}
  }
  return undefined
}

function isOfApp({app}: Pick<Rule, 'app'>, {appId, botId}: Pick<Said, 'appId' | 'botId'>) {
  return app === appId || app === botId
}

function findIn(
  {pattern: source}: Rule,
  {text, app}: Said,
  read: (pattern: string) => ReadPattern,
): Matched['values'] | undefined {
  const pattern = read(source)
  const found = 'pattern' in pattern ? pattern.pattern.match(text) : undefined
  return found && {...found, text, app}
}

/** Without a key all words are one: only what says the very same is the same. */
function hashKey({dedupeKey}: Rule, values: Matched['values']): string {
  const key = dedupeKey === undefined ? (values['text'] ?? '') : fillKey(dedupeKey, values)
  return createHash('sha256').update(key).digest('base64url')
}

/** Pure. What becomes of a message that a rule matches: each reason to pass it over goes before the next. */
export function decide(
  rule: Pick<Rule, 'does' | 'quiet' | 'perHour' | 'perDay'>,
  {hasSame, inHour, inDay}: RulePast,
  nowMs: number,
): Exclude<Decision, 'own'> {
  if (rule.quiet !== undefined && isQuiet(rule.quiet, nowMs)) return 'quiet'
  if (hasSame) return 'duplicate'
  if (inDay >= rule.perDay) return 'day'
  if (inHour >= rule.perHour) return 'hour'
  return rule.does
}

/** From the first minute up to the last one, which is not in it; one that ends before it begins ends on the next day. */
function isQuiet({from, to, zone}: QuietHours, nowMs: number): boolean {
  const now = clock(shownAt(nowMs, zone).minute)
  return from <= to ? from <= now && now < to : now >= from || now < to
}
