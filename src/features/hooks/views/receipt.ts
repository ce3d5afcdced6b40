import type {Announcement} from '../../../store/tables/channels/announcement.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold} from '../../../slack/markup/lines.ts'
import {type DrawRules, type DrawnMessage, button, section} from '../../../slack/draw/blocks.ts'
import {runButtons} from './run-buttons.ts'
import {MAX_NAMED} from '../../../store/tables/hooks/receipts.ts'
import {hookTexts} from '../texts.ts'

const {receipts, unknownReceipt, receiptOfMany, receiptLines, unknownReceiptLine, log, run} =
  hookTexts

const GOOD: readonly string[] = ['accepted', 'duplicate']
/** Of a message about many; what is no problem needs no look. */
const QUIET: readonly string[] = [...GOOD, 'no-match']

/** A channel hears what came of deliveries to its hook: each is counted in one of these, and problems are named. */
export function drawReceipt(
  {words: {receipt}}: Pick<Announcement, 'words'>,
  rules: Pick<DrawRules, 'webUrl'>,
): DrawnMessage {
  const {hookId = '', name: given = '', counts = {}, runs = []} = receipt ?? {}
  const name = inBold(given, MAX_NAME)
  const outcomes = Object.entries(counts)
  const total = outcomes.reduce((sum, [, count]) => sum + count, 0)
  const text = total > 1 ? textOfMany(name, total, counts) : textOfOne(name, outcomes[0]?.[0] ?? '')
  const isGood = outcomes.every(([outcome]) => GOOD.includes(outcome))
  const elements = [button(ACTIONS.hookLog, log, hookId)]
  const more = (counts['accepted'] ?? 0) - runs.length
  const rest = runs.length >= MAX_NAMED && more > 0 ? [run.more(more)] : []
  const lines = runs.map(({title}) => run.runs(inBold(title ?? run.untitled, MAX_NAME)))
  return {
    text: [text, ...lines, ...rest].join('\n'),
    blocks: [
      section(text),
      ...(isGood ? [] : [{type: 'actions' as const, elements}]),
      ...runs.flatMap((one, index) => [section(lines[index] ?? ''), runButtons(one, rules)]),
      ...rest.map(section),
    ],
  }
}

function textOfOne(name: string, outcome: string): string {
  return (isKnown(outcome) ? receipts[outcome] : unknownReceipt)(name)
}

function textOfMany(name: string, total: number, counts: Readonly<Record<string, number>>): string {
  const outcomes = Object.keys(counts)
  const sign = outcomes.every((outcome) => QUIET.includes(outcome)) ? '⚡️' : '⚠️'
  const known = Object.keys(receiptLines).filter((outcome) => outcomes.includes(outcome))
  const unknown = outcomes.filter((outcome) => !isKnown(outcome))
  const lines = [...known, ...unknown].map((outcome) =>
    (isKnown(outcome) ? receiptLines[outcome] : unknownReceiptLine)(counts[outcome] ?? 0),
  )
  return [`${sign} ${receiptOfMany(name, total)}`, ...lines].join('\n')
}

function isKnown(outcome: string): outcome is keyof typeof receiptLines {
  return Object.hasOwn(receiptLines, outcome)
}
