import {expect, test} from 'vitest'
import {appMessageSchema, toAppMessage} from '../../../src/slack/incoming/alert.ts'
import {ownWorkOf} from '../../support/worst-inputs.ts'

const textOf = (said: object): string | undefined => {
  const told = appMessageSchema.parse({bot_id: 'B1', ts: '1.0', ...said})
  return toAppMessage(told, {team: 'T1', channel: 'C1'})?.text
}

const elementsOf = (words: readonly string[]) => ({
  blocks: [{type: 'rich_text', elements: words.map((text) => ({type: 'text', text}))}],
})

test('what an app says is read once, wherever it says it again', () => {
  const attachments = [
    {fallback: 'cart is empty', title: 'WEB-1', text: 'Error WEB-1: cart is empty'},
  ]
  expect(textOf({text: 'Error WEB-1: cart is empty', attachments})).toBe(
    'Error WEB-1: cart is empty',
  )
  expect(textOf({text: 'Error', ...elementsOf(['WEB-1', 'Error', 'cart'])})).toBe(
    'Error\nWEB-1\ncart',
  )
})

test('nobody is held up by a message of thousands of parts', () => {
  const letter = (at: number): string => String.fromCodePoint(0x4e00 + at)
  const parts = Array.from({length: 3000}, (_, at) => letter(at) + letter(at + 5000))
  const last = parts.at(-1) ?? ''
  const said = elementsOf([...parts, ...Array.from({length: 35_000}, () => last)])
  expect(ownWorkOf(() => textOf(said), '')).toBeLessThan(600)
})
