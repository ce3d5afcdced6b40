import type {KnownBlock} from '@slack/types'
import {shownStatus} from '../../../platform/shown-status.ts'
import {isDirect} from '../../../agents/who-may-know.ts'
import {type DrawnMessage, context, section} from '../../../slack/draw/blocks.ts'
import {addressName, pullRequestFact} from '../../../slack/draw/pull-request.ts'
import {standingLine} from '../../../slack/draw/standing.ts'
import {dollars, inBold, moment, nameLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import type {OwnRow} from '../../../slack/own-work.ts'
import {texts} from '../../../slack/texts.ts'
import {type ChannelContent, type DigestRow, SHOWN} from '../reading.ts'
import {SECTIONS, type Section} from '../sections.ts'
import {digestTexts} from '../texts.ts'

const MAX_TITLE = 100
/** Of one list, beside its headline and what it leaves out: a section holds 3,000 characters. */
const MAX_LISTED = 2800
/** Of all lists, beside that: Slack takes about 13,000 characters in all. */
const MAX_IN_ALL = 12_000
const MICROS_PER_CREDIT = 1000

interface List {
  headline: (count: number) => string
  lines: readonly string[]
}

/** Whether a channel has nothing to hear. */
export function isQuiet({sections, merged, micros = 0}: ChannelContent): boolean {
  const isEmpty = SECTIONS.every((section) => sections[section].length === 0)
  return isEmpty && merged.length === 0 && micros === 0
}

/** What a channel is told, which calls nobody. */
export function drawChannelDigest(content: ChannelContent, sinceMs: number): DrawnMessage {
  const since = moment(sinceMs)
  const {micros} = content
  const hasCost = micros !== undefined && micros > 0
  const cost = hasCost ? [digestTexts.cost(dollars(micros / MICROS_PER_CREDIT))] : []
  if (isQuiet(content)) return drawn([digestTexts.quiet(since)], [])
  const lists = [
    ...SECTIONS.map((of) => sectionList(of, content.sections[of])),
    {headline: digestTexts.merged, lines: content.merged.map(addressName)},
  ].filter(({lines}) => lines.length > 0)
  const room = Math.min(MAX_LISTED, Math.floor(MAX_IN_ALL / lists.length))
  const groups = lists.map(({headline, lines}) =>
    [headline(lines.length), ...listed(lines, room)].join('\n'),
  )
  return drawn([digestTexts.headline(since), ...groups], cost)
}

/** What waits on somebody, in their direct messages. */
export function drawOwnDigest(rows: readonly OwnRow[]): DrawnMessage {
  const {headline, none, change} = digestTexts.mine
  if (rows.length === 0) return drawn([none], [])
  return drawn([[headline(rows.length), ...listed(rows.map(ownLine))].join('\n')], [change])
}

function drawn(parts: readonly string[], notes: readonly string[]): DrawnMessage {
  const blocks: KnownBlock[] = [...parts.map(section), ...notes.map(context)]
  return {text: [...parts, ...notes].join('\n'), blocks}
}

function sectionList(of: Section, rows: readonly DigestRow[]): List {
  return {headline: digestTexts.sections[of], lines: rows.map((row) => lineOf(of, row))}
}

/** As many whole lines as there is room for. */
function listed(lines: readonly string[], room = MAX_LISTED): string[] {
  const shown: string[] = []
  let left = room
  for (const line of lines.slice(0, SHOWN)) {
    left -= line.length + '• \n'.length
    if (left < 0) break
    shown.push(`• ${line}`)
  }
  const rest = lines.length - shown.length
  return rest > 0 ? [...shown, digestTexts.more(rest)] : shown
}

function lineOf(of: Section, {link, permalink, who}: DigestRow): string {
  const archived = of === 'done' && link.state === 'archived' ? [digestTexts.archived] : []
  const waits = of === 'waiting' ? [waitsLine(link, who)] : archived
  return [
    titleOf(link),
    ...waits,
    ...placeOf(permalink),
    ...pullRequestFact(link.pullRequest),
  ].join(' · ')
}

function waitsLine(link: DigestRow['link'], who: string | undefined): string {
  const {answer, review} = digestTexts.waits
  const says = shownStatus(link) === 'ready_for_review' ? review : answer
  const name = who === undefined ? digestTexts.somebody : `@${nameLine(who)}`
  return says(name, moment(link.statusSinceMs))
}

function ownLine({link, permalink}: OwnRow): string {
  const {channel} = link.place
  const where = isDirect(channel) ? digestTexts.mine.inDirect : `<#${channel}>`
  const facts = [titleOf(link), standingLine(link, moment), where]
  return [...facts, ...placeOf(permalink), ...pullRequestFact(link.pullRequest)].join(' · ')
}

function titleOf({title}: DigestRow['link']): string {
  return `*${inBold(title ?? texts.card.untitled, MAX_TITLE)}*`
}

function placeOf(permalink: string | undefined): string[] {
  if (permalink === undefined) return []
  return [`<${escapeMrkdwn(permalink)}|${texts.commands.list.toThread}>`]
}
