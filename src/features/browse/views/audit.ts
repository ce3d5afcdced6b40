import type {KnownBlock} from '@slack/types'
import {type AuditRow, OPERATOR} from '../../../store/tables/audit.ts'
import {NOBODY} from '../../../store/forget/blanking.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {code, moment, oneLine} from '../../../slack/markup/lines.ts'
import {type Message, button, inSections} from '../../../slack/draw/blocks.ts'
import {pageButtons} from '../../../slack/draw/list.ts'
import {auditTexts} from '../audit-texts.ts'

const MAX_ID = 60

/** One page of the audit, newest first; `next`: the entry that the page behind it begins after. */
export function drawAudit(
  rows: readonly AuditRow[],
  {isFirst, next}: {isFirst: boolean; next: number | undefined},
): Message {
  const {title, export: exported} = auditTexts
  const lines = rows.map(lineOf)
  const blocks: KnownBlock[] = [
    ...inSections([title, ...lines]),
    {
      type: 'actions',
      elements: [
        ...pageButtons(ACTIONS.auditMore, {next, first: isFirst ? undefined : 0}),
        button(ACTIONS.auditExport, exported, 'all'),
      ],
    },
  ]
  return {text: [title, ...lines].join('\n'), blocks}
}

function lineOf({atMs, user, act, about, channel, outcome}: AuditRow): string {
  const {row, refused, in: inChannel, about: on, operator} = auditTexts
  const who = user === NOBODY ? namelessOf(act) : user === OPERATOR ? operator : `<@${user}>`
  const where = [
    channel === undefined ? '' : inChannel(`<#${channel}>`),
    about === undefined ? '' : on(code(oneLine(about, MAX_ID))),
    outcome === 'refused' ? refused : '',
  ]
  return row(moment(atMs), who, wordsOf(act), where.filter((part) => part !== '').join(' · '))
}

/** What did it where no person did, or where nobody may know who that was. */
function namelessOf(act: string): string {
  if (act.startsWith('rule ')) return auditTexts.rule
  if (act.startsWith('budget ')) return auditTexts.nobodysWork
  return act.startsWith('fix ') ? auditTexts.fix : auditTexts.nobody
}

/** `press bosun:new-title` is `pressed *new title*`; a command stands as it was typed. */
export function wordsOf(act: string): string {
  const {acts, typed, reacted} = auditTexts
  if (act === 'reaction ') return reacted
  const [start, words] = acts.find(([beginning]) => act.startsWith(beginning)) ?? ['', typed]
  const rest = oneLine(act.slice(start.length), MAX_ID).trim()
  if (rest === '') return words
  return start === ''
    ? `${words} ${code(rest)}`
    : `${words} *${rest.replaceAll(/[^\w]+|_/g, ' ').trim()}*`
}
