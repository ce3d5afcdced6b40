import type {Rule} from '../../../store/tables/rules/rule.ts'
import {MAX_NAME, inBold, moment, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, inSections} from '../../../slack/draw/blocks.ts'
import {type Tried, msOf} from '../dry-run.ts'
import {ruleTexts} from '../texts.ts'

const words = ruleTexts.tried
const MAX_ROWS = 20
const MAX_WORDS = 80

/** What a rule would have made of the last messages, newest first. */
export function drawTried(rule: Rule, tried: readonly Tried[], count: number): Message {
  const name = inBold(rule.name, MAX_NAME)
  const rows = tried.toReversed().slice(0, MAX_ROWS).map(lineOf)
  const [more, others] = [tried.length - rows.length, count - tried.length]
  const lines = [
    words.headline(name, count),
    ...(rows.length === 0 ? [words.none(name)] : rows),
    ...(more > 0 ? [words.more(more)] : []),
    ...(rows.length > 0 && others > 0 ? [words.others(others)] : []),
  ]
  return {text: lines.join('\n'), blocks: inSections(lines)}
}

function lineOf({message, decision}: Tried): string {
  const time = moment(msOf(message.ts))
  const said = escapeMrkdwn(oneLine(message.text, MAX_WORDS))
  if (typeof decision === 'object') {
    return words.not(time, said, words.taken(inBold(decision.taken.name, MAX_NAME)))
  }
  if (decision === 'start') return words.would(time, said)
  if (decision === 'ask') return words.wouldAsk(time, said)
  return words.not(time, said, words.why[decision])
}
