import type {PlanBlock} from '@slack/types'
import type {PlanContent} from '../../relay/post.ts'
import {ACTIONS} from '../ids.ts'
import {oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawnMessage, button, context} from './blocks.ts'
import {ownOf} from '../../security/foreign-json.ts'

const MAX_TITLE = 120
/** Slack edits no text that is longer than 4,000 characters. */
const MAX_TEXT = 3600

/** Tasks as Slack's own plan, and beside it as a list for where that is refused. */
export function drawPlan({linkId, tasks, done, total, hidden}: PlanContent): DrawnMessage {
  const headline = texts.tasks.plan(done, total)
  const more = hidden === 0 ? [] : [texts.tasks.hidden(hidden)]
  const plan: PlanBlock = {
    type: 'plan',
    title: headline,
    tasks: tasks.map((task) => ({
      type: 'task_card',
      task_id: task.path.slice(0, 255),
      title: toCardTitle(task),
      status: ownOf(CARD_STATUS, task.status) ?? 'pending',
    })),
  }
  const lines = [...tasks.map(taskLine), ...more]
  const value = `${linkId}.plan`
  return {
    text: cutLines([`*${headline}*`, ...lines]),
    blocks: [
      plan,
      ...more.map(context),
      {type: 'actions', elements: [button(ACTIONS.tasks, texts.tasks.look, value)]},
    ],
  }
}

/** Slack's words for how a task is; what is not listed has not begun. */
const CARD_STATUS: Readonly<Record<string, 'in_progress' | 'complete' | 'error'>> = {
  working: 'in_progress',
  waiting: 'in_progress',
  done: 'complete',
  failed: 'error',
}

const SIGNS: Readonly<Record<string, string>> = {
  working: '🔵',
  waiting: '🟡',
  idle: '⏹',
  done: '✅',
  failed: '🔴',
}

type PlanTask = Omit<PlanContent['tasks'][number], 'below'> &
  Partial<Pick<PlanContent['tasks'][number], 'below'>>

/** Plain text as far as Slack says, so that nothing in it may mean something if it is not. */
function toCardTitle(task: PlanTask): string {
  const words = titleOf(task).replaceAll('<', '‹').replaceAll('>', '›')
  return [words, ...belowOf(task)].join(' · ')
}

/** A task in a line of its own, with a sign for how it stands. */
export function taskLine(task: PlanTask): string {
  const sign = ownOf(SIGNS, task.status) ?? '⚪️'
  return [`${sign} ${escapeMrkdwn(titleOf(task))}`, ...belowOf(task)].join(' · ')
}

function titleOf({path, title}: PlanTask): string {
  return oneLine(`${path} ${title}`, MAX_TITLE)
}

function belowOf({below}: PlanTask): string[] {
  return below === undefined ? [] : [texts.tasks.below(below.done, below.total)]
}

function cutLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length + 1 > MAX_TEXT) return `${text}\n…`
    text += text === '' ? line : `\n${line}`
  }
  return text
}
