import {describe, expect, test} from 'vitest'
import {acceptBlocks} from '../../../../local/slack/blocks/blocks.ts'
import {
  drawFilesQuestion,
  leftOutMessage,
} from '../../../../src/features/conversation/views/files-question.ts'
import {
  drawMessageOffer,
  drawTaskOffer,
  headlineOf,
} from '../../../../src/features/conversation/views/offer.ts'
import {startTexts} from '../../../../src/features/conversation/start-texts.ts'
import type {DrawnMessage} from '../../../../src/slack/draw/blocks.ts'

const words = startTexts.offer
const quoted = {author: 'Kim', text: 'The login fails', files: [], forwarded: []}
const labelsOf = ({blocks}: DrawnMessage): string[] => {
  expect(() => acceptBlocks(blocks)).not.toThrow()
  const all = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
  return all.flatMap((one) => (one.type === 'button' ? [one.text.text] : []))
}

test('what was typed behind a command is quoted, and can be started or chosen', () => {
  const drawn = drawTaskOffer('s', 'mend <it>')
  expect(drawn.text).toBe(`${words.noCommand}\n> mend &lt;it&gt;`)
  expect(labelsOf(drawn)).toEqual([words.start, words.choose])
})

test('a message is quoted with its author, and told to the agent that works there', () => {
  const drawn = drawMessageOffer('s', quoted, undefined)
  expect(drawn.text).toBe(`> *Kim:* The login fails\n${words.message}`)
  expect(labelsOf(drawn)).toEqual([words.start, words.choose])
  const toAgent = drawMessageOffer('s', quoted, {title: 'Prices'})
  expect(toAgent.text).toContain(words.atWork('Prices'))
  expect(labelsOf(toAgent)).toEqual([words.tell])
})

test.each([
  ['its first line', {text: ' \n One\nTwo '}, 'One'],
  ['what was forwarded', {text: '  ', forwarded: [{author: 'Jo', text: ' Three\nFour'}]}, 'Three'],
  ['what it carries', {text: '', files: ['a.txt', 'b.txt']}, 'a.txt, b.txt'],
  ['nothing', {text: ''}, ''],
])('the headline of a message is %s', (_what, message, headline) => {
  expect(headlineOf({...quoted, ...message})).toBe(headline)
})

describe('files that can’t go along', () => {
  const file = (name: string) => ({name, why: 'too-large' as const, size: 60_000_000})
  const ask = (passed: string[], names: string[], what: 'start' | 'send' = 'start') =>
    drawFilesQuestion(what, 'id', {passed, notPassed: names.map(file)})

  test('are named, with those that can, before anything begins', () => {
    const drawn = ask(['a.txt', 'b.txt'], ['clip.mov'])
    expect(drawn.text).toContain('clip.mov')
    expect(drawn.text).toContain(startTexts.without.goesAlong('a.txt, b.txt'))
    expect(labelsOf(drawn)).toEqual([startTexts.without.goOn(1), startTexts.without.cancel])
    expect(ask([], ['clip.mov']).text).not.toContain('can go along')
    expect(ask([], ['1.mov', '2.mov'], 'send').text).toContain('2.mov')
  })

  test('are named up to twenty', () => {
    const names = Array.from({length: 30}, (_, at) => `n${at}.txt`)
    const {text} = ask(names, ['clip.mov'])
    expect(text).toContain(names.slice(0, 20).join(', '))
    expect(text).not.toContain('n20.txt')
    expect(ask([], names).text).not.toContain('n20.txt')
  })

  test('leave nothing to send where there is nothing else', () => {
    const {text} = leftOutMessage([file('clip.mov')] as never)
    expect(text).toContain('clip.mov')
    expect(text).toContain(startTexts.without.nothingSent)
  })
})
