import type {KnownBlock} from '@slack/types'
import type {DeadLetter} from '../../../store/tables/hooks/dead-letters.ts'
import type {Hook} from '../../../store/tables/hooks/hooks.ts'
import {type Message, button, context, section} from '../../../slack/draw/blocks.ts'
import {pageButtons} from '../../../slack/draw/list.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {moment} from '../../../slack/markup/lines.ts'
import {bodyBytes} from '../sealed-bodies.ts'
import {letterTexts} from '../letter-texts.ts'
import {confirming, hookName} from './hooks.ts'

const words = letterTexts

interface Letters {
  rows: readonly {letter: DeadLetter; hook: Hook | undefined}[]
  /** The page behind it begins before this one. */
  next: number | undefined
  isFirst: boolean
  /** What was just done. */
  said: string | undefined
}

/** Which deliveries were given up, when and why, and how large they are; never what stands in them. */
export function drawLetters({rows, next, isFirst, said}: Letters): Message {
  const lines = rows.map(({letter, hook}) => lineOf(letter, hook))
  const turns = pageButtons(ACTIONS.letters, {next, first: isFirst ? undefined : 'first'})
  const head = [...(said === undefined ? [] : [said]), words.title].join('\n')
  return {
    text: [head, ...lines].join('\n'),
    blocks: [
      section(head),
      ...rows.flatMap(({letter}, index) => [section(lines[index] ?? ''), buttonsOf(letter)]),
      ...(turns.length === 0 ? [] : [{type: 'actions' as const, elements: turns}]),
      context(words.explain),
    ],
  }
}

function lineOf({outcome, receivedAtMs, sealedBytes}: DeadLetter, hook: Hook | undefined): string {
  const known = Object.hasOwn(words.why, outcome)
  return words.row([
    `*${hookName(hook ?? {name: ''})}*`,
    moment(receivedAtMs),
    known ? words.why[outcome as keyof typeof words.why] : words.unknown,
    words.size(bodyBytes(sealedBytes)),
  ])
}

function buttonsOf({id}: DeadLetter): KnownBlock {
  const confirm = confirming(words.confirmDiscard, words.discard)
  return {
    type: 'actions',
    elements: [
      button(ACTIONS.letterAgain, words.again, String(id)),
      button(ACTIONS.letterDiscard, words.discard, String(id), {style: 'danger', confirm}),
    ],
  }
}
