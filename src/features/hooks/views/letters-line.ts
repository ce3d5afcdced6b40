import type {KnownBlock} from '@slack/types'
import {button} from '../../../slack/draw/blocks.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {letterTexts} from '../letter-texts.ts'

const words = letterTexts

/** How many were given up, and for those who may, the way to them. */
export function lettersLine(count: number, mayChange: boolean): KnownBlock[] {
  if (count === 0) return []
  const text = {type: 'mrkdwn' as const, text: words.count(count)}
  const show = button(ACTIONS.letters, words.show, 'show')
  return [{type: 'section', text, ...(mayChange && {accessory: show})}]
}
