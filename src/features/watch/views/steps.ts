import type {KnownBlock, ModalView} from '@slack/types'
import type {Spot, StepsPage} from '../../../agents/steps/steps.ts'
import type {Entry} from '../../../platform/model.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import {ACTIONS, VIEWS} from '../../../slack/ids.ts'
import {code, moment, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {texts} from '../../../slack/texts.ts'
import {button, section, toMetadata} from '../../../slack/draw/blocks.ts'
import {modal} from '../../../slack/draw/form.ts'
import {watchTexts} from '../texts.ts'

const MAX_STEP = 200

/** A modal over the details that says one thing. */
export function stepsNoteView(link: Link, note: string): ModalView {
  return viewOf(link, [section(escapeMrkdwn(note))])
}

/** A page of steps, the newest on top. `before`: what it stands in front of; the newest page without. */
export function stepsView(link: Link, page: StepsPage, before: Spot | undefined): ModalView {
  const {none, noEarlier, earlier, further, newest} = watchTexts.steps
  const isNewest = before === undefined
  const rows = page.steps.map((step) => section(lineOf(step)))
  const note = page.isCut ? cutNote(page) : isNewest ? none : noEarlier
  const on = page.isCut ? further : earlier
  const isMore = page.isCut || page.earlier !== undefined
  const buttons = [
    ...(isMore ? [button(ACTIONS.stepsPage, on, toStepsValue(link.id, page.earlier))] : []),
    ...(isNewest
      ? []
      : [button(`${ACTIONS.stepsPage}:1`, newest, toStepsValue(link.id, undefined))]),
  ]
  return viewOf(link, [
    ...(rows.length === 0 ? [section(note)] : rows),
    ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
  ])
}

function viewOf(link: Link, blocks: KnownBlock[]): ModalView {
  const {back} = texts.tasks.modal
  return modal(VIEWS.steps, toMetadata(link), {title: watchTexts.steps.title, close: back}, blocks)
}

function cutNote({readUntilMs}: StepsPage): string {
  return watchTexts.steps.cut(readUntilMs === undefined ? undefined : moment(readUntilMs))
}

/** When, and the agent’s own line for it. */
function lineOf({text, tool = '', createdAt}: Entry): string {
  const atMs = Date.parse(createdAt ?? '')
  const when = Number.isNaN(atMs) ? [] : [moment(atMs)]
  return [...when, code(oneLine(text.trim() || tool, MAX_STEP) || '…')].join(' · ')
}

/** Which page of whose steps a button leads to. */
function toStepsValue(linkId: string, before: Spot | undefined): string {
  return before === undefined ? linkId : `${linkId}.${before.mark}.${before.atMs ?? ''}`
}

/** `undefined`: the newest page. */
export function readStepsValue(value: string): Spot | undefined {
  const [, mark, atMs = ''] = /^[\w-]+\.([\w-]{16})\.(\d{0,15})$/.exec(value) ?? []
  return mark === undefined ? undefined : {mark, atMs: atMs === '' ? undefined : Number(atMs)}
}
