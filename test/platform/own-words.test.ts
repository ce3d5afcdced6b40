import {expect, test} from 'vitest'
import {BELOW_WORDS, ownWords} from '../../src/platform/own-words.ts'
import {threadSchema} from '../../src/platform/model.ts'
import {tokenMark} from '../../src/store/tables/work/send.ts'

const WORDS = 'fix the rounding of prices'
const MESSAGE = `${WORDS}\n\n${BELOW_WORDS}\n\nEarlier messages of the Slack thread:\n\n> Sam:\n>   It rounds.`

test('a title of the first words of a message is what a person wrote, wherever it was cut', () => {
  for (let end = MESSAGE.indexOf(BELOW_WORDS) + 1; end <= MESSAGE.length; end += 1) {
    const title = MESSAGE.slice(0, end)
    for (const more of ['', '…', '...']) {
      expect(ownWords(`${title}${more}`)).toBe(WORDS)
      expect(ownWords(`${title.replaceAll(/\s+/g, ' ')}${more}`)).toBe(WORDS)
    }
  }
})

test('who says it, and the token of a message, are no words of a title', () => {
  const said = `Jane Doe in #web ${tokenMark('8k3f2p')}`
  expect(ownWords(`${said}\n${WORDS}`)).toBe(WORDS)
  expect(ownWords(`${said} ${WORDS}…`)).toBe(`${WORDS}…`)
  expect(ownWords('A title (of its own): with marks')).toBe('A title (of its own): with marks')
})

test.each(['Tidy up --- and test', 'e-mail -- who reads it', 'a - b', '---', 'x ---y'])(
  'what is no packing stays: %s',
  (title) => {
    expect(ownWords(title)).toBe(title === 'Tidy up --- and test' ? 'Tidy up' : title)
  },
)

test('a title that is nothing but packing is none', () => {
  const title = `Jane in #web ${tokenMark('8k3f2p')} `
  expect(threadSchema.parse({id: 'a', status: 'idle', title}).title).toBeUndefined()
  expect(threadSchema.parse({id: 'a', status: 'idle', title: 'Done'}).title).toBe('Done')
})
