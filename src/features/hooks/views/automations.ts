import type {Button, KnownBlock} from '@slack/types'
import type {Automation} from '../../../platform/model.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, moment, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, button, section, toFit} from '../../../slack/draw/blocks.ts'
import {pageButtons} from '../../../slack/draw/list.ts'
import {type Page, confirming} from './hooks.ts'
import {automationTexts} from '../automation-texts.ts'

const words = automationTexts
const MAX_WORDS = 80
/** Of one of a page: Slack takes about 13,000 characters in all. */
const MAX_ROW = 1100
/** What Slack takes in a button, less what stands in front of an id. */
const MAX_VALUE = 2000 - 'off.'.length

/** An automation as a channel sees it. */
export interface AutomationHere extends Automation {
  /** Whether what its schedule begins is followed there; `undefined`: it has none that was made there. */
  isFollowed?: boolean | undefined
}

export function automationName({name}: Pick<Automation, 'name'>): string {
  return inBold(name?.trim() || words.unnamed, MAX_NAME)
}

/** The automations of a project. */
export function drawAutomations(
  {rows, from, next, mayChange}: Page<AutomationHere>,
  projectName: string | undefined,
): Message {
  const title = words.title(inBold(projectName ?? words.thisProject, MAX_NAME))
  const lines = rows.map(automationText)
  const below = [
    ...pageButtons(ACTIONS.automationsMore, {next, first: from > 0 ? 0 : undefined}),
    ...(mayChange ? [button(ACTIONS.automationNew, words.newOne, 'new')] : []),
  ]
  return {
    text: [title, ...lines].join('\n'),
    blocks: [
      section(title),
      ...rows.flatMap((row, index) => [section(lines[index] ?? ''), ...rowButtons(row, mayChange)]),
      ...(below.length === 0 ? [] : [{type: 'actions' as const, elements: below}]),
    ],
  }
}

export function drawNoAutomations({mayChange}: {mayChange: boolean}): Message {
  if (!mayChange) return {text: words.noneYet}
  const elements = [button(ACTIONS.automationNew, words.newOne, 'new')]
  return {text: words.none, blocks: [section(words.none), {type: 'actions', elements}]}
}

/** One of them and its buttons, under what was just done to it. */
export function drawAutomation(said: string, automation: AutomationHere): Message {
  const line = automationText(automation)
  return {
    text: `${said}\n${line}`,
    blocks: [section(said), section(line), ...buttonsOf(automation)],
  }
}

function automationText(automation: AutomationHere): string {
  const {triggers, runCount, lastTriggeredAt, isFollowed} = automation
  const lastMs = Date.parse(lastTriggeredAt ?? '')
  const row = words.row(automationName(automation), [
    stateText(automation),
    triggers.length > 0 ? triggers.map((one) => triggerText(one)).join(', ') : words.noTrigger,
    ...(runCount === undefined ? [] : [words.runs(runCount)]),
    ...(Number.isNaN(lastMs) ? [] : [words.lastRun(moment(lastMs))]),
  ])
  const line = toFit(row, MAX_ROW)
  return isFollowed === true ? `${line}\n${words.followed}` : line
}

/** To look into it, and what may be done to it. */
function rowButtons(automation: AutomationHere, mayChange: boolean): KnownBlock[] {
  const {id} = automation
  if (id.length > MAX_VALUE) return []
  const details = button(ACTIONS.automationDetails, words.details, id)
  const elements = [details, ...(mayChange ? changesOf(automation) : [])]
  return [{type: 'actions', elements}]
}

export function stateText({deleted, enabled, disabledReason}: Automation): string {
  if (deleted) return words.deleted
  if (enabled !== false) return words.on
  if (!disabledReason) return words.off(undefined)
  return words.off(reasonText(disabledReason) ?? shown(disabledReason))
}

/** A reason of the platform's in our words; `undefined` for one that we have none for. */
export function reasonText(reason: string): string | undefined {
  const {reasons} = words
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : undefined
}

type Trigger = NonNullable<Automation['triggers']>[number]

/** What starts it; `nextMs`: when that does so next. */
export function triggerText({type, cron, timezone}: Trigger, nextMs?: number): string {
  if (type === 'schedule') {
    const clean = shown((cron ?? '–').replaceAll('`', 'ˋ'))
    const next = nextMs === undefined ? undefined : moment(nextMs)
    return words.schedule(clean, shown(timezone ?? 'UTC'), next)
  }
  return type === 'incoming_webhook' ? words.incoming : words.otherTrigger(shown(type))
}

function shown(text: string): string {
  return escapeMrkdwn(oneLine(text, MAX_WORDS))
}

export function buttonsOf(automation: AutomationHere): KnownBlock[] {
  if (automation.id.length > MAX_VALUE) return []
  return [{type: 'actions', elements: changesOf(automation)}]
}

function changesOf({id, enabled, deleted, isFollowed}: AutomationHere): Button[] {
  if (deleted) return [button(ACTIONS.automationRestore, words.restore, id)]
  return [
    ...(isFollowed === undefined ? [] : [followButton(id, isFollowed)]),
    enabled !== false
      ? button(ACTIONS.automationDisable, words.disable, id)
      : button(ACTIONS.automationEnable, words.enable, id),
    button(ACTIONS.automationDelete, words.delete, id, {
      style: 'danger',
      confirm: confirming(words.confirmDelete, words.delete),
    }),
  ]
}

/** What becomes of its runs, under what was just said of them. */
export function drawFollowing(said: string, automationId: string, isFollowed: boolean): Message {
  const elements = [followButton(automationId, isFollowed)]
  return {text: said, blocks: [section(said), {type: 'actions', elements}]}
}

function followButton(id: string, isFollowed: boolean): Button {
  return isFollowed
    ? button(ACTIONS.automationFollow, words.unfollow, `off.${id}`)
    : button(ACTIONS.automationFollow, words.follow, `on.${id}`)
}
