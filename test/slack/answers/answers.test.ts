import {expect, test} from 'vitest'
import {createAnswers} from '../../../src/slack/answers/answers.ts'
import type {Replies} from '../../../src/slack/answers/replies.ts'
import {HOOK_FORMS} from '../../../src/slack/ids.ts'
import {pressOf} from '../../support/presses.ts'

const LATE = {text: 'This was already answered.'}

test('what is to be pressed stands where a form was opened that stays open and says why', async () => {
  const said: string[] = []
  const replies = {whisper: (_asker, {text}) => void said.push(text)} as Partial<Replies> as Replies
  const answers = createAnswers(replies, {update: async () => true})
  const view = {id: 'V1', hash: 'h', callbackId: 'c', metadata: '{"channel":"C1"}'}
  const form = {kind: 'form', user: 'U1', callbackId: HOOK_FORMS.automation, view} as never
  const elements = [{type: 'button' as const, text: {type: 'plain_text' as const, text: 'Connect'}}]
  answers.answer(form, {text: 'words alone'})
  answers.answer(form, {text: 'and a button', blocks: [{type: 'actions', elements}]})
  await new Promise(setImmediate)
  expect(said).toEqual(['and a button'])
})

/** A whisper that is pressed in twice, and what Slack is asked about it, in this order. */
function setUp() {
  const asked: string[] = []
  const replies = {
    respond: ({responseUrl}, {text}, how) => void asked.push(`${responseUrl} ${how}: ${text}`),
    withdraw: ({responseUrl}) => void asked.push(`${responseUrl} goes`),
  } as Partial<Replies> as Replies
  const answers = createAnswers(replies, {update: async () => true})
  const first = pressOf({messageTs: '1.0', whisperUrl: 'first'})
  const second = pressOf({messageTs: '1.0', whisperUrl: 'second'})
  return {asked, answers, first, second}
}

test('the words for whoever pressed second outlast the whisper that goes with what came first', () => {
  const {asked, answers, first, second} = setUp()
  answers.settle(second, LATE)
  answers.settle(first, undefined)
  answers.settle(pressOf({messageTs: '2.0', whisperUrl: 'another'}), undefined)
  expect(asked).toEqual(['second instead: This was already answered.', 'another goes'])
})

test('a whisper that asks the next question goes with what came of that', () => {
  const {asked, answers, first, second} = setUp()
  const blocks = [{type: 'actions' as const, elements: []}]
  answers.settle(first, {text: 'Unarchive and send?', blocks})
  answers.settle(second, undefined)
  expect(asked).toEqual(['first instead: Unarchive and send?', 'second goes'])
})

test('a list that was drawn anew goes with what was chosen in it', () => {
  const {asked, answers, first, second} = setUp()
  answers.redraw(first, {text: 'Page 2'})
  answers.settle(second, undefined)
  expect(asked).toEqual(['first instead: Page 2', 'second goes'])
})
