import type {Button} from '@slack/types'
import type {AlertStore} from '../../../store/tables/rules/alerts.ts'
import type {Rule} from '../../../store/tables/rules/rule.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, code, inBold, nameLine, oneLine} from '../../../slack/markup/lines.ts'
import {type Message, button, plain} from '../../../slack/draw/blocks.ts'
import {type PageRow, drawPage, pageButtons} from '../../../slack/draw/list.ts'
import {ruleTexts} from '../texts.ts'

const words = ruleTexts.list
const PER_PAGE = 10
const MAX_PATTERN = 80

type Counts = Awaited<ReturnType<AlertStore['counts']>>

/** The rules of a channel, each with its buttons; `said`: what was just done to one of them. */
export function drawRules({
  rules,
  counts,
  from,
  nameOf,
  said,
}: {
  rules: readonly Rule[]
  counts: Counts
  from: number
  nameOf: (user: string) => string
  said?: string | undefined
}): Message {
  const shown = rules.slice(from, from + PER_PAGE)
  const next = from + shown.length < rules.length ? from + PER_PAGE : undefined
  const turns = [
    button(ACTIONS.ruleNew, words.newRule, 'new'),
    ...pageButtons(ACTIONS.rulesMore, {next, first: from > 0 ? 0 : undefined}),
  ]
  const headline = rules.length === 0 ? words.none : words.headline
  return drawPage({
    headline: said === undefined ? headline : `${said}\n\n${headline}`,
    rows: shown.map((rule) => rowOf(rule, counts.get(rule.id), nameOf)),
    turns,
  })
}

function rowOf(
  rule: Rule,
  counts: ReturnType<Counts['get']>,
  nameOf: (user: string) => string,
): PageRow {
  return {line: linesOf(rule, counts, nameOf).join('\n'), buttons: buttonsOf(rule)}
}

function linesOf(
  rule: Rule,
  counts: ReturnType<Counts['get']> = new Map(),
  nameOf: (user: string) => string,
): string[] {
  const {quiet, person} = rule
  const app = nameLine(rule.appName ?? rule.app)
  const pattern = rule.pattern === '' ? '' : code(oneLine(rule.pattern, MAX_PATTERN))
  const started = (counts.get('start') ?? 0) + (counts.get('ask') ?? 0)
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const also = [
    ...(quiet === undefined ? [] : [words.quiet(quiet.from, quiet.to, nameLine(quiet.zone))]),
    ...(person === undefined ? [] : [words.calls(nameLine(nameOf(person)))]),
  ]
  return [
    words.row(inBold(rule.name, MAX_NAME), rule.isOn, words.what(rule.does, app, pattern)),
    [words.limits(rule.perHour, rule.perDay, windowText(rule.windowMinutes)), ...also].join(' · '),
    ...(all === 0 ? [] : [words.counts(started, all - started)]),
  ]
}

/** `90 min`, `2 h`, `3 d` */
function windowText(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440} d`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

/** What can be done with a rule as it was shown. */
function valueOf({id, changedAtMs}: Pick<Rule, 'id' | 'changedAtMs'>): string {
  return `${id}.${changedAtMs.toString(36)}`
}

function buttonsOf(rule: Rule): Button[] {
  const value = valueOf(rule)
  const {confirm} = ruleTexts
  const ask = (label: string, text: string) => ({
    title: plain(label),
    text: plain(text),
    confirm: plain(label),
    deny: plain(confirm.back),
  })
  return [
    button(ACTIONS.ruleEdit, words.edit, value),
    button(ACTIONS.ruleTry, words.tryIt, value),
    rule.isOn
      ? button(ACTIONS.ruleOff, words.turnOff, value)
      : button(ACTIONS.ruleOn, words.turnOn, value, {confirm: ask(words.turnOn, confirm.turnOn)}),
    button(ACTIONS.ruleDelete, words.delete, value, {
      style: 'danger',
      confirm: ask(words.delete, confirm.delete),
    }),
  ]
}
