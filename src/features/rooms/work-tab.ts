import type {KnownBlock} from '@slack/types'
import {splitMarkdown} from '../../markdown/split.ts'
import {inSections, section} from '../../slack/draw/blocks.ts'
import {taskLine} from '../../slack/draw/plan.ts'
import {MAX_NAME, oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn, escapedLength, plainMrkdwn} from '../../slack/markup/markup.ts'
import type {Link, TaskState} from '../../store/tables/work/link.ts'
import {roomTexts} from './texts.ts'

/** What is known of the work besides its link. */
export interface WorkFacts {
  /** What the agent last said that it will do. */
  plan: string | undefined
  /** What it has cost, a line for each kind. */
  costs: readonly string[]
}

/** Of one block, as Slack measures it, with room to spare. */
const MAX_BLOCK = 2800
const MAX_TASKS = 200
const MAX_PLAN_BLOCKS = 8

/** What the agent is about, in a tab: its tasks, its plan, and what all of it has cost; none while there is none of it. Pure. */
export function workTab(link: Link, {plan, costs}: WorkFacts): KnownBlock[] {
  const {tasks = [], lastModelId, steps} = link
  const {tab} = roomTexts
  const model = lastModelId === undefined ? [] : [escapeMrkdwn(oneLine(lastModelId, MAX_NAME))]
  const facts = [...model.map(tab.model), ...(steps > 0 ? [tab.steps(steps)] : []), ...costs]
  return [
    ...(tasks.length === 0 ? [] : taskBlocks(tasks)),
    ...planBlocks(plan),
    ...(facts.length === 0 ? [] : [section([tab.usage, ...facts].join('\n'))]),
  ]
}

function taskBlocks(tasks: readonly TaskState[]): KnownBlock[] {
  const {tab} = roomTexts
  const done = tasks.filter(({status}) => status === 'done').length
  const hidden = Math.max(0, tasks.length - MAX_TASKS)
  const lines = [
    tab.tasks(done, tasks.length),
    ...(hidden === 0 ? [] : [tab.hidden(hidden)]),
    ...tasks.slice(-MAX_TASKS).map(taskLine),
  ]
  return inSections(lines)
}

function planBlocks(plan = ''): KnownBlock[] {
  // Slack refuses the whole tab for a section without words.
  const parts = splitMarkdown(plan, MAX_BLOCK, escapedLength)
    .map(({shown}) => plainMrkdwn(shown))
    .filter((words) => words.trim() !== '')
    .slice(0, MAX_PLAN_BLOCKS)
  return parts.length === 0 ? [] : [roomTexts.tab.plan, ...parts].map(section)
}
