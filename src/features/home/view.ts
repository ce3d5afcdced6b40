import type {Button, HomeView, KnownBlock} from '@slack/types'
import {EFFORTS, MACHINE_SIZES} from '../../platform/model.ts'
import {type Choices, NOISES} from '../../store/tables/choices.ts'
import {canStartOver} from '../../store/tables/work/link.ts'
import {ACTIONS, HOME} from '../../slack/ids.ts'
import {type OwnRow, markOf} from '../../slack/own-work.ts'
import {inBold, moment, oneLine, time} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {texts} from '../../slack/texts.ts'
import {
  type DrawRules,
  button,
  context,
  openButtons,
  plain,
  section,
} from '../../slack/draw/blocks.ts'
import {modeOptions, modelMenu} from '../../slack/draw/model-inputs.ts'
import {answerButton} from '../../slack/draw/notification.ts'
import {pullRequestFact} from '../../slack/draw/pull-request.ts'
import {
  GROUPS,
  type Group,
  canStop,
  isFailed,
  reviewButtons,
  standingLine,
} from '../../slack/draw/standing.ts'
import {homeTexts} from './texts.ts'

const {notifications} = texts

/** All that somebody's App Home tells. */
export interface HomeContent {
  /** Newest first. */
  rows: Readonly<Record<Group, readonly OwnRow[]>>
  page: HomePage
  /** When today began for them. */
  dayMs: number
  /** For who is here for the first time: what we do, drawn. */
  welcome?: string | undefined
  choices: Choices
  /** The one that they have chosen for themselves, drawn. */
  project?: string | undefined
  /** Whether they are told every working morning what waits on them; `undefined`: they are told nothing. */
  morning?: 'yes' | 'no' | undefined
  onPlatform: 'yes' | 'no' | 'unknown'
  /** By which the platform knows them. */
  email?: string | undefined
  /** For admins: the key of the workspace, drawn. */
  workspaceKey?: string | undefined
}

/** Which rows of which section are shown; of the others the first ones are. */
export interface HomePage {
  section: Group
  from: number
}

/** A view holds 100 blocks, and each row takes two. */
const ROWS: Readonly<Record<Group, number>> = {needsYou: 12, running: 14, done: 10}
const MAX_TITLE = 140
const MAX_EMAIL = 200

/** The rows that this page shows. */
export function shownRows(
  {rows, page}: Pick<HomeContent, 'rows' | 'page'>,
  of: Group,
): readonly OwnRow[] {
  const from = startOf(rows[of], page, of)
  return rows[of].slice(from, from + ROWS[of])
}

function startOf(rows: readonly OwnRow[], page: HomePage, of: Group): number {
  return page.section === of && page.from < rows.length ? page.from : 0
}

const NEW_TASK = button(ACTIONS.homeNew, homeTexts.newTask, 'new', {style: 'primary'})

export function drawHome(content: HomeContent, rules: Pick<DrawRules, 'webUrl'>): HomeView {
  return {
    type: 'home',
    callback_id: HOME,
    // Its menu of models asks whose they are: the workspace's.
    private_metadata: '{}',
    blocks: [
      ...(content.welcome === undefined ? [] : [section(content.welcome)]),
      {type: 'actions', block_id: ACTIONS.homeNew, elements: [NEW_TASK]},
      ...GROUPS.flatMap((of) => drawSection(content, of, rules)),
      ...drawChoices(content),
      ...drawWorkspace(content),
    ],
  }
}

function drawSection(
  content: HomeContent,
  of: Group,
  rules: Pick<DrawRules, 'webUrl'>,
): KnownBlock[] {
  const all = content.rows[of]
  if (all.length === 0) return [header(homeTexts[of]), context(homeTexts.nothing[of])]
  const shown = shownRows(content, of)
  const from = startOf(all, content.page, of)
  const rest = all.length - from - shown.length
  const turns = [
    ...(rest > 0
      ? [button(`${ACTIONS.homeMore}:0`, homeTexts.more(rest), `${of}.${from + shown.length}`)]
      : []),
    ...(from > 0 ? [button(`${ACTIONS.homeMore}:1`, texts.commands.list.back, `${of}.0`)] : []),
  ]
  return [
    header(homeTexts[of]),
    ...shown.flatMap((row) => drawRow(row, {of, dayMs: content.dayMs}, rules)),
    ...(turns.length === 0
      ? []
      : [{type: 'actions' as const, block_id: `turn:${of}`, elements: turns}]),
  ]
}

function drawRow(
  row: OwnRow,
  {of, dayMs}: {of: Group; dayMs: number},
  rules: Pick<DrawRules, 'webUrl'>,
): KnownBlock[] {
  const {link, permalink} = row
  const title = `*${inBold(link.title ?? texts.card.untitled, MAX_TITLE)}*`
  const {channel} = link.place
  const where = channel.startsWith('D') ? homeTexts.inDirect : homeTexts.inChannel(`<#${channel}>`)
  const facts = [
    title,
    standingLine(link, (ms) => (ms < dayMs ? moment(ms) : time(ms))),
    where,
    ...(permalink === undefined ? [] : [`<${escapeMrkdwn(permalink)}|${homeTexts.thread}>`]),
    ...pullRequestFact(link.pullRequest),
  ]
  const buttons = [
    ...rowButtons(row, rules),
    ...(of === 'running' ? [] : [button(ACTIONS.homeDismiss, homeTexts.dismiss, toValue(row))]),
  ]
  const [only, second] = buttons
  const text = {type: 'mrkdwn' as const, text: facts.join(' · ')}
  const id = `row:${link.id}`
  if (second !== undefined) {
    return [
      {type: 'section', text},
      {type: 'actions', block_id: id, elements: buttons},
    ]
  }
  return [{type: 'section', text, block_id: id, ...(only !== undefined && {accessory: only})}]
}

function toValue(row: OwnRow): string {
  return `${row.link.id}.${markOf(row)}`
}

/** Which work [Dismiss] is about, and as it stood when it was pressed; `undefined` for anything else. */
export function readDismissed(value: string): {linkId: string; mark: string} | undefined {
  const [, linkId, mark] = /^([\w-]+)\.([\w-]{16})$/.exec(value) ?? []
  return linkId === undefined || mark === undefined ? undefined : {linkId, mark}
}

function rowButtons(
  {link, notification}: Pick<OwnRow, 'link' | 'notification'>,
  {webUrl}: Pick<DrawRules, 'webUrl'>,
): Button[] {
  const value = `${link.id}.${link.statusSinceMs.toString(36)}`
  const open = openButtons(link.threadId, value, {webUrl, nameOf: (id) => id})
  if (link.taskId !== undefined) return open
  const canTryAgain = canStartOver(link) || (link.state !== 'ended' && isFailed(link))
  return [
    ...(notification === undefined ? [] : [answerButton(notification.id)]),
    ...(canStop(link) ? [button(ACTIONS.stop, homeTexts.stop, value, {style: 'danger'})] : []),
    ...(canTryAgain ? [button(ACTIONS.tryAgain, notifications.tryAgain, value)] : []),
    ...reviewButtons(link),
    ...open,
  ]
}

/** One line, for those who can change it. */
function drawWorkspace({workspaceKey}: HomeContent): KnownBlock[] {
  if (workspaceKey === undefined) return []
  const change = button(ACTIONS.connect, homeTexts.connection.change, 'workspace')
  const text = {type: 'mrkdwn' as const, text: `${homeTexts.connection.headline} · ${workspaceKey}`}
  return [{type: 'section', block_id: ACTIONS.connect, text, accessory: change}]
}

function drawChoices({choices, project, morning, onPlatform, email}: HomeContent): KnownBlock[] {
  const {noise = 'normal', dm = 'no', model = '', effort, modes = [], size} = choices
  const noises = NOISES.map((value) => option(texts.talk.noises[value], value))
  const answers = [option(homeTexts.dmYes, 'yes'), option(homeTexts.dmNo, 'no')]
  const sizes = [
    option(homeTexts.standard, STANDARD),
    ...MACHINE_SIZES.map((value) => option(value, value)),
  ]
  const efforts = [
    option(homeTexts.ofModel, STANDARD),
    ...EFFORTS.map((value) => option(value, value)),
  ]
  const chosenModes = modeOptions().filter(({value = ''}) => modes.includes(value))
  return [
    header(homeTexts.mine),
    {
      type: 'section',
      block_id: ACTIONS.homeModel,
      text: {type: 'mrkdwn', text: homeTexts.model},
      accessory: {action_id: ACTIONS.homeModel, ...modelMenu(model, texts.models.usual)},
    },
    menu(homeTexts.effort, ACTIONS.homeEffort, efforts, effort ?? STANDARD),
    {
      type: 'section',
      block_id: ACTIONS.homeModes,
      text: {type: 'mrkdwn', text: homeTexts.modes},
      accessory: {
        type: 'checkboxes',
        action_id: ACTIONS.homeModes,
        options: modeOptions(),
        ...(chosenModes.length > 0 && {initial_options: chosenModes}),
      },
    },
    menu(homeTexts.size, ACTIONS.homeSize, sizes, size ?? STANDARD),
    context(`${homeTexts.project(project)} ${homeTexts.channelFirst}`),
    header(homeTexts.notify),
    menu(`${homeTexts.noise}\n${homeTexts.calling[noise]}`, ACTIONS.homeNoise, noises, noise),
    menu(homeTexts.dm, ACTIONS.homeDm, answers, dm),
    ...(morning === undefined
      ? []
      : [menu(homeTexts.morning, ACTIONS.homeMorning, answers, morning)]),
    context(
      onPlatform === 'yes' && email !== undefined && email !== ''
        ? homeTexts.platform.as(escapeMrkdwn(oneLine(email, MAX_EMAIL)))
        : homeTexts.platform[onPlatform],
    ),
  ]
}

/** The choice of no size at all. */
const STANDARD = 'standard'

type MenuOption = ReturnType<typeof option>

function option(label: string, value: string) {
  return {text: plain(label), value}
}

function menu(label: string, actionId: string, options: MenuOption[], chosen: string): KnownBlock {
  const initial = options.find(({value}) => value === chosen)
  return {
    type: 'section',
    block_id: actionId,
    text: {type: 'mrkdwn', text: label},
    accessory: {
      type: 'static_select',
      action_id: actionId,
      options,
      ...(initial !== undefined && {initial_option: initial}),
    },
  }
}

function header(text: string): KnownBlock {
  return {type: 'header', text: plain(text)}
}
