import type {ActionsBlock} from '@slack/types'
import type {standardProject} from '../../../agents/channel-settings.ts'
import type {Question} from '../../../agents/resolve-options.ts'
import type {Project} from '../../../platform/model.ts'
import {type DrawnMessage, button, plain, section} from '../../../slack/draw/blocks.ts'
import {fitMenu, option} from '../../../slack/draw/form.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine} from '../../../slack/markup/lines.ts'
import {texts} from '../../../slack/texts.ts'
import {browseTexts} from '../texts.ts'

const MAX_LABEL = 70
/** Beyond it they are chosen from a menu. */
const MAX_BUTTONS = 6
const words = browseTexts.use

/** Where somebody's work starts here, who chose that, and what they can choose. */
export function drawUse({
  news,
  standard,
  own,
  projects,
  mayChange,
}: {
  news?: string | undefined
  standard: ReturnType<typeof standardProject>
  own: Project | 'none' | 'out of reach'
  projects: readonly Project[]
  mayChange: 'yes' | 'no'
}): DrawnMessage {
  const nameOf = (id: string): string => shown(projects.find((one) => one.id === id)?.name ?? id)
  const isOwn = standard?.by === 'person'
  const sorted = projects.toSorted((a, b) => a.name.localeCompare(b.name))
  const choices = sorted.filter((one) => one !== own)
  const chosen = own === 'none' ? [] : [button(ACTIONS.useNone, words.none, 'none')]
  const menu = choices.length > MAX_BUTTONS ? menuOf(choices) : undefined
  const buttons = menu === undefined && choices.length > MAX_BUTTONS ? [] : choices.map(toButton)
  return draw(
    [
      ...(news === undefined ? [] : [news]),
      standard === undefined ? words.nowhere : words.here(nameOf(standard.projectId), standard.by),
      ...(isOwn ? [] : [ownText(own)]),
      ...(buttons.length === 0 && menu === undefined ? [words.name] : []),
      ...(mayChange === 'yes' ? [words.forAll] : []),
    ],
    [...(menu === undefined ? buttons : [menu]), ...chosen],
  )
}

/** `kept`: the channel's own project, which it goes before. */
export function drawChosen(project: string, kept: string | undefined): DrawnMessage {
  const named = oneLine(project, MAX_NAME)
  const asOption = `project=${/\s/.test(named) ? `"${named}"` : named}`
  return draw(
    [
      words.chosen(shown(project)),
      ...(kept === undefined ? [] : [words.notHere(shown(kept), shown(asOption))]),
    ],
    [button(ACTIONS.useNone, words.none, 'none')],
  )
}

/** With a button for each project that may be meant. */
export function drawUnknownProject(question: Question): DrawnMessage {
  const {wrong, offers} = question
  const labels = offers.map(({label}) => shown(label))
  return draw(
    [texts.talk.question(question, shown(wrong), labels)],
    offers.map(({label, value}, index) => toButton({name: label, id: value}, index)),
  )
}

function ownText(own: Project | 'none' | 'out of reach'): string {
  if (own === 'none') return words.noOwn
  return own === 'out of reach' ? words.outOfReach : words.own(shown(own.name))
}

function draw(lines: string[], elements: ActionsBlock['elements']): DrawnMessage {
  const text = lines.join('\n')
  return {
    text,
    blocks: [
      section(text),
      ...(elements.length === 0 ? [] : [{type: 'actions' as const, elements}]),
    ],
  }
}

function toButton({id, name}: Pick<Project, 'id' | 'name'>, index: number) {
  return button(`${ACTIONS.useMine}:${index}`, oneLine(name, MAX_LABEL) || '–', id)
}

/** `undefined` for more than Slack takes. */
function menuOf(projects: readonly Project[]) {
  const options = projects.map(({id, name}) => option(name, id))
  if (!fitMenu(options)) return undefined
  const placeholder = plain(words.choose)
  return {type: 'static_select' as const, action_id: ACTIONS.useMine, placeholder, options}
}

function shown(name: string): string {
  return inBold(name, MAX_NAME)
}
