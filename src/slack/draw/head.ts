import type {Announcement} from '../../store/tables/channels/announcement.ts'
import {MAX_NAME, code, inBold, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawRules, type DrawnMessage, section} from './blocks.ts'
import {nameOf} from './pull-request.ts'

const MAX_TITLE = 140
const MAX_COMMIT = 40

/** The message that a Slack thread of work hangs on. Pure: the same announcement draws the same message. */
export function drawHead(announcement: Announcement, rules: DrawRules): DrawnMessage {
  const {words, endedBy} = announcement
  const title = titleOf(announcement)
  const name = escapeMrkdwn(oneLine(rules.nameOf(words.askedBy ?? ''), MAX_NAME))
  // What is over here is followed in another Slack thread; a review that is done is done.
  const isOver = endedBy !== undefined && endedBy !== 'done'
  const text = isOver ? texts.commands.follow.elsewhere(title) : headOf(announcement, title, name)
  return {text, blocks: [section(text)]}
}

function headOf({words, endedBy}: Announcement, title: string, name: string): string {
  const {askedBy, task, isTask, isCaptain, review, room} = words
  const {head, readOnlyHead} = texts.commands.follow
  if (room !== undefined) {
    const origin = `<#${room.origin}>`
    const {room: opened, roomByItself} = texts.heads
    return askedBy === undefined ? roomByItself(title, origin) : opened(title, name, origin)
  }
  if (task !== undefined) {
    const who = askedBy === undefined ? texts.heads.workflow : name
    return texts.heads.askedFor(who, escapeMrkdwn(task))
  }
  if (isCaptain === true) return texts.heads.captain(title, name)
  if (review === undefined) return (isTask === true ? readOnlyHead : head)(title, name)
  const {repo, number, address, headSha, isOver} = review
  const at = headSha === undefined ? '' : texts.heads.atCommit(code(shortCommit(headSha)))
  const {pastReview, doneReview, review: liveReview} = texts.heads
  const said = isOver === true ? pastReview : endedBy === 'done' ? doneReview : liveReview
  return said(nameOf({repo, number, address}), at, name)
}

/** As people name commits. */
function shortCommit(sha: string): string {
  return oneLine(/^[\da-f]{8,64}$/i.test(sha) ? sha.slice(0, 7) : sha, MAX_COMMIT)
}

export function titleOf({words}: Announcement): string {
  return inBold(words.title ?? texts.card.untitled, MAX_TITLE)
}
