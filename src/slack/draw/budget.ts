import type {Button, KnownBlock} from '@slack/types'
import type {BudgetContent} from '../../relay/post.ts'
import type {Standing} from '../../agents/budgets/budgets.ts'
import {BUDGETS, endOf} from '../../agents/budgets/periods.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {BudgetNote} from '../../store/tables/budgets/notes.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, moment, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {budgetTexts} from '../texts/budgets.ts'
import {
  type DrawRules,
  type DrawnMessage,
  type Message,
  button,
  context,
  section,
} from './blocks.ts'

/** What is told of a budget in the Slack thread of work. */
export function drawBudget(content: BudgetContent, {nameOf}: DrawRules): DrawnMessage {
  const {why, person, isLoud, endedBy, raisedMicros} = content
  const toName = (id: string): string =>
    id === NOBODY ? texts.quote.somebody : escapeMrkdwn(oneLine(nameOf(id), MAX_NAME))
  const mention = person === NOBODY ? texts.quote.somebody : `<@${person}>`
  if (why === 'near') {
    const line = budgetTexts.near(content, isLoud ? mention : toName(person))
    return {text: line, blocks: [section(line)]}
  }
  const isPersons = BUDGETS[content.budget].of === 'person'
  const called = isPersons || person === NOBODY ? '' : ` ${mention}`
  const line = budgetTexts.stopped(content, mention)
  const ended =
    endedBy === undefined ? undefined : budgetTexts.raised(toName(endedBy), raisedMicros)
  const text = ended === undefined ? `${line}${called}` : `${line} ${ended}`
  return {
    text,
    blocks: [
      section(text),
      ...(ended === undefined ? renewal(content) : []),
      ...(ended === undefined ? buttons({...content, id: content.noteId}) : []),
    ],
  }
}

/** To somebody whose words did not go out. */
export function spentMessage(note: BudgetNote): Message {
  const text = budgetTexts.refused(note, budgetTexts.starter)
  return {text, blocks: [section(text), ...renewal(note), ...buttons(note)]}
}

/** To somebody who wants to begin something. */
export function inTheWayText(standing: Standing): string {
  const atMs = endOf(standing.period)
  return budgetTexts.inTheWay(standing, atMs === undefined ? undefined : moment(atMs))
}

function renewal({period}: Pick<BudgetNote, 'period'>): KnownBlock[] {
  const atMs = endOf(period)
  return atMs === undefined ? [] : [context(budgetTexts.renews(moment(atMs)))]
}

/** Where nothing may be spent there is nothing to go on with. */
function buttons(note: Pick<BudgetNote, 'id' | 'budget' | 'moreMicros'>): KnownBlock[] {
  if (note.moreMicros === 0) return []
  return [{type: 'actions', elements: [goOnButton(note)]}]
}

/** Whose budget it is decides who may raise it. */
function goOnButton({
  id,
  budget,
  moreMicros,
}: Pick<BudgetNote, 'id' | 'budget' | 'moreMicros'>): Button {
  const actionId = BUDGETS[budget].of === 'work' ? ACTIONS.goOn : ACTIONS.raiseBudget
  return button(actionId, budgetTexts.goOn(moreMicros), id, {style: 'primary'})
}
