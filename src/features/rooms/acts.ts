import {workText} from '../../slack/texts.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {button, context, section} from '../../slack/draw/blocks.ts'
import {code, inBold, oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {RUNNING} from '../../slack/draw/standing.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type OpenRoom, canMove} from './opening.ts'
import type {RoomSupport} from './support.ts'
import {roomTexts} from './texts.ts'

interface RoomActsOptions extends ActTools {
  deps: {lists: LinkLists; links: LinkStore}
  roomSupport: RoomSupport
  openRoom: OpenRoom
}

const MOST_SHOWN = 10
const MOST_READ = 50
const MAX_TITLE = 140
const MAX_WORDS = 80
const MAX_CODE = 60

/** `/bosun room`, and [Open a room] wherever it is offered. */
export function createRoomActs(options: RoomActsOptions): Act[] {
  const {act, checks, deps, roomSupport, openRoom} = options

  const choose = async (
    at: {team: string; channel: string},
    signal: AbortSignal,
  ): Promise<ActResult> => {
    if (!(await roomSupport.hasRooms(signal))) return {answer: {text: roomTexts.noRooms}}
    if ((await deps.links.inRoom(at)) !== undefined) return {answer: {text: roomTexts.inRoom}}
    const found = await deps.lists.changedIn(at, RUNNING, {sinceMs: 0, limit: MOST_READ})
    const movable = found.filter(canMove)
    if (movable.length === 0) return {answer: {text: roomTexts.noneHere}}
    const rows = movable.slice(0, MOST_SHOWN).map(rowOf)
    const others = movable.length > MOST_SHOWN ? [context(roomTexts.others)] : []
    return {
      answer: {text: roomTexts.choose, blocks: [section(roomTexts.choose), ...rows, ...others]},
    }
  }

  const open = async (link: Link, user: string, signal: AbortSignal): Promise<ActResult> => {
    if (!(await roomSupport.hasRooms(signal))) return {answer: {text: roomTexts.noRooms}}
    if (!canMove(link) && link.room === undefined) return {answer: {text: roomTexts.notNow}}
    const opened = await openRoom(link, user, signal)
    if (opened.outcome === 'refused') {
      return {answer: {text: roomTexts.refused(code(oneLine(opened.code, MAX_CODE)))}, again: true}
    }
    return {answer: {text: roomTexts[opened.outcome](`<#${opened.channel}>`)}}
  }

  return [
    act('command', '/bosun room', checks.member, ({team, channel}, _subject, {signal}) =>
      choose({team, channel}, signal),
    ),
    act('press', ACTIONS.roomOpen, checks.onLink, ({user}, link, {signal}) =>
      open(link, user, signal),
    ),
  ]
}

function rowOf(link: Link) {
  const title = inBold(link.title ?? roomTexts.untitled, MAX_TITLE)
  const words = escapeMrkdwn(oneLine(workText(link), MAX_WORDS))
  const accessory = button(ACTIONS.roomOpen, roomTexts.open, link.id)
  return {...section(`*${title}* · ${words}`), accessory}
}
