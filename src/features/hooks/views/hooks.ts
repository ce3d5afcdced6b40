import type {Button, ConfirmationDialog, KnownBlock} from '@slack/types'
import type {Delivery} from '../../../store/tables/hooks/deliveries.ts'
import type {Hook} from '../../../store/tables/hooks/hooks.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, code, inBold, moment} from '../../../slack/markup/lines.ts'
import {type Message, button, plain, section} from '../../../slack/draw/blocks.ts'
import {pageButtons} from '../../../slack/draw/list.ts'
import {letterTexts} from '../letter-texts.ts'
import {hookTexts} from '../texts.ts'
import {lettersLine} from './letters-line.ts'

/** A hook as it stands in a list. */
interface HookRow {
  hook: Hook
  last: Delivery | undefined
  /** `lost`: no sealing key opens them. Else until when the secret before this one counts. */
  secrets: 'lost' | {formerUntilMs: number | undefined}
}

const words = hookTexts

export function hookName({name}: Pick<Hook, 'name'>): string {
  return inBold(name, MAX_NAME)
}

/** Where senders reach it. */
export function addressText(hookId: string, publicUrl: string | undefined): string {
  const path = `/hooks/${hookId}`
  if (publicUrl === undefined) return words.noAddress(path)
  return words.address(code(`${publicUrl.replace(/(?<!\/)\/+$/, '')}${path}`))
}

/** One page; `from`: how many stand before it; `next`: before the page behind it. */
export interface Page<Row> {
  rows: readonly Row[]
  from: number
  next: number | undefined
  mayChange: boolean
}

/** The hooks of a channel. */
export function drawHooks(
  {rows, from, next, mayChange, givenUp}: Page<HookRow> & {givenUp: number},
  publicUrl: string | undefined,
): Message {
  const lines = rows.map((row) => lineOf(row, publicUrl))
  const below = [
    ...pageButtons(ACTIONS.hooksMore, {next, first: from > 0 ? 0 : undefined}),
    ...(mayChange ? newButtons() : []),
  ]
  return {
    text: [words.title, ...lines, ...(givenUp === 0 ? [] : [letterTexts.count(givenUp)])].join(
      '\n',
    ),
    blocks: [
      section(words.title),
      ...rows.flatMap(({hook, secrets}, index) => [
        section(lines[index] ?? ''),
        ...(mayChange ? [rowButtons({hook, secrets})] : lookButtonsOf(hook)),
      ]),
      ...lettersLine(givenUp, mayChange),
      ...(below.length === 0 ? [] : [{type: 'actions' as const, elements: below}]),
    ],
  }
}

export function drawNoHooks({mayChange}: {mayChange: boolean}): Message {
  if (!mayChange) return {text: words.noneYet}
  const elements = newButtons()
  return {text: words.none, blocks: [section(words.none), {type: 'actions', elements}]}
}

function newButtons(): Button[] {
  return [
    button(ACTIONS.hookNew, words.newHook, 'new'),
    button(ACTIONS.githubNew, words.github.button, 'new'),
  ]
}

/** One hook and its buttons, under what was just done to it. */
export function drawHook(said: string, hook: Hook): Message {
  return {text: said, blocks: [section(said), buttonsOf(hook)]}
}

/** A new secret, and the way to end the one before it at once. */
export function drawNewSecret(said: string, hook: Hook): Message {
  return {text: said, blocks: [section(said), {type: 'actions', elements: [revokeButton(hook)]}]}
}

function lineOf(row: HookRow, publicUrl: string | undefined): string {
  return row.hook.kind === 'github' ? githubLineOf(row, publicUrl) : usualLineOf(row, publicUrl)
}

function githubLineOf({hook, secrets}: HookRow, publicUrl: string | undefined): string {
  const {row, heard, unheard, ofAll, ofProject} = words.github
  const when = hook.heardAtMs === undefined ? unheard : heard(moment(hook.heardAtMs))
  return [
    row(hookName(hook), hook.state, when),
    addressText(hook.id, publicUrl),
    hook.isWide ? ofAll : ofProject,
    ...secretLines(secrets),
  ].join('\n')
}

function usualLineOf({hook, last, secrets}: HookRow, publicUrl: string | undefined): string {
  const when =
    last === undefined ? words.never : words.last(moment(last.receivedAtMs), outcomeText(last))
  return [
    words.row(hookName(hook), hook.state, when),
    addressText(hook.id, publicUrl),
    ...(hook.follows ? [words.followed] : []),
    ...secretLines(secrets),
  ].join('\n')
}

function secretLines(secrets: HookRow['secrets']): string[] {
  if (secrets === 'lost') return [words.lost]
  const {formerUntilMs} = secrets
  return formerUntilMs === undefined ? [] : [words.formerUntil(moment(formerUntilMs))]
}

function rowButtons({hook, secrets}: Pick<HookRow, 'hook' | 'secrets'>): KnownBlock {
  return secrets === 'lost' ? lostButtonsOf(hook) : buttonsOf(hook, secrets.formerUntilMs)
}

/** For those who may not change it. */
function lookButtonsOf({id, kind}: Hook): KnownBlock[] {
  // What GitHub says is folded, and not kept.
  if (kind === 'github') return []
  return [{type: 'actions', elements: [button(ACTIONS.hookLog, words.log, id)]}]
}

function buttonsOf(hook: Hook, formerUntilMs?: number): KnownBlock {
  const {id, state, turn, follows, kind} = hook
  const {secret} = words.confirm
  const isGithubs = kind === 'github'
  const follow = follows
    ? button(ACTIONS.hookFollow, words.unfollow, `${id}.off`)
    : button(ACTIONS.hookFollow, words.follow, `${id}.on`)
  return {
    type: 'actions',
    elements: [
      ...(isGithubs ? [] : [button(ACTIONS.hookLog, words.log, id)]),
      button(ACTIONS.hookSecret, words.newSecret, `${id}.${turn}`, {
        confirm: confirming(secret, words.newSecret),
      }),
      ...(formerUntilMs === undefined ? [] : [revokeButton(hook)]),
      ...(isGithubs ? [] : [follow]),
      state === 'on'
        ? button(ACTIONS.hookDisable, words.disable, id)
        : button(ACTIONS.hookEnable, words.enable, id),
      deleteButton(id),
    ],
  }
}

/** Nothing gets through to it: it can be looked at, and deleted. */
function lostButtonsOf({id, kind}: Hook): KnownBlock {
  const look = kind === 'github' ? [] : [button(ACTIONS.hookLog, words.log, id)]
  return {type: 'actions', elements: [...look, deleteButton(id)]}
}

function revokeButton({id, turn}: Hook): Button {
  const confirm = confirming(words.confirm.revoke, words.revoke)
  return button(ACTIONS.hookRevoke, words.revoke, `${id}.${turn}`, {style: 'danger', confirm})
}

function deleteButton(id: string): Button {
  const confirm = confirming(words.confirm.delete, words.delete)
  return button(ACTIONS.hookDelete, words.delete, id, {style: 'danger', confirm})
}

/** Asks first. */
export function confirming(
  {title, text}: {title: string; text: string},
  confirm: string,
): ConfirmationDialog {
  return {
    title: plain(title),
    text: plain(text),
    confirm: plain(confirm),
    deny: plain(words.confirm.cancel),
  }
}

function outcomeText({outcome}: Delivery): string {
  return words.outcomes[outcome ?? 'waiting']
}

/** One page of what was delivered, newest first; `beforeId`: the page behind it begins in front of this one. */
export function drawHookLog(
  hook: Hook,
  {
    rows,
    isFirst,
    beforeId,
  }: {rows: readonly Delivery[]; isFirst: boolean; beforeId: number | undefined},
): Message {
  const title = words.logTitle(hookName(hook))
  const lines = rows.map((row) =>
    words.logRow(moment(row.receivedAtMs), outcomeText(row), [
      ...(row.attempts > 1 ? [words.attempts(row.attempts)] : []),
      ...(row.repeats > 0 ? [words.repeats(row.repeats)] : []),
    ]),
  )
  const blocks: KnownBlock[] = [
    section(title),
    ...rows.map((row, index): KnownBlock => {
      const text = {type: 'mrkdwn' as const, text: lines[index] ?? ''}
      if (!row.hasBody || row.outcome === undefined) return {type: 'section', text}
      return {type: 'section', text, accessory: againButton(row)}
    }),
  ]
  const turns = pageButtons(ACTIONS.hookLog, {
    next: beforeId === undefined ? undefined : `${hook.id}.${beforeId}`,
    first: isFirst ? undefined : `${hook.id}.0`,
  })
  if (turns.length > 0) blocks.push({type: 'actions', elements: turns})
  return {text: [title, ...lines].join('\n'), blocks}
}

function againButton({id, outcome}: Delivery) {
  const hasRun = outcome === 'accepted' || outcome === 'duplicate'
  const confirm = {confirm: confirming(words.confirm.again, words.sendAgain)}
  return button(ACTIONS.hookAgain, words.sendAgain, String(id), hasRun ? confirm : {})
}
