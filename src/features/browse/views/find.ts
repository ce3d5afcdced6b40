import type {Thread} from '../../../platform/model.ts'
import {shownStatus} from '../../../platform/shown-status.ts'
import type {PageStart} from '../../../store/tables/work/link-lists.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {stateText, texts} from '../../../slack/texts.ts'
import {type DrawRules, button, openButtons} from '../../../slack/draw/blocks.ts'
import type {PageRow} from '../../../slack/draw/list.ts'
import {browseTexts} from '../texts.ts'

const MAX_TITLE = 140
const MAX_STATUS = 60
/** Slack's limit of what a button bears. */
const MAX_VALUE = 2000

/** Work on the platform that no Slack thread here shows. */
export function drawFound(thread: Thread, {webUrl}: Pick<DrawRules, 'webUrl'>): PageRow {
  const {elsewhere, follow} = browseTexts.find
  const {id, title} = thread
  const status = stateText(shownStatus(thread))
  const line = [
    `*${inBold(title ?? texts.card.untitled, MAX_TITLE)}*`,
    escapeMrkdwn(oneLine(status, MAX_STATUS)),
    elsewhere,
  ].join(' · ')
  const buttons = [
    ...(id.length <= MAX_VALUE ? [button(ACTIONS.findFollow, follow, id)] : []),
    ...openButtons(id, 'found', {webUrl, nameOf: (name) => name}),
  ]
  return {line, buttons}
}

/** Where a page begins, among what is ours or on the platform, and the words. */
export function toFindValue(from: PageStart | number | undefined, sought: string): string {
  if (from === undefined) return `s.${sought}`
  const at = typeof from === 'number' ? `p.${from}` : `o.${from.madeAtMs}.${from.id}`
  return `${at}.${sought}`
}

export function readFindValue(
  value: string,
): {sought: string; from: {start: PageStart | undefined} | {offset: number}} | undefined {
  const [, anew] = /^s\.(\S.*)$/.exec(value) ?? []
  if (anew !== undefined) return {sought: anew, from: {start: undefined}}
  const [, madeAtMs, id, ours] = /^o\.(\d{1,15})\.([\w-]+)\.(\S.*)$/.exec(value) ?? []
  if (madeAtMs !== undefined && id !== undefined && ours !== undefined) {
    return {sought: ours, from: {start: {madeAtMs: Number(madeAtMs), id}}}
  }
  const [, offset, theirs] = /^p\.(\d{1,6})\.(\S.*)$/.exec(value) ?? []
  if (offset === undefined || theirs === undefined) return undefined
  return {sought: theirs, from: {offset: Number(offset)}}
}
