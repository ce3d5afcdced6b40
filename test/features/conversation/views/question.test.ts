import {expect, test} from 'vitest'
import {acceptBlocks} from '../../../../local/slack/blocks/blocks.ts'
import {startTexts} from '../../../../src/features/conversation/start-texts.ts'
import {texts} from '../../../../src/slack/texts.ts'
import {parsePress} from '../../../../src/slack/incoming/press.ts'
import {drawAnswerForm, drawQuestion} from '../../../../src/features/conversation/views/question.ts'
import {FRESH_LINK} from '../../../support/fresh-link.ts'

const projects = (count: number) =>
  Array.from({length: count}, (_, index) => ({label: `Project ${index}`, value: `p${index}`}))

test('a few projects are buttons, and more than a row of them is a menu of all', () => {
  const ask = (count: number) =>
    drawQuestion('start', {name: 'project', wrong: '', why: 'none', offers: projects(count)})
  expect(JSON.stringify(ask(25).blocks).match(/"type":"button"/g)).toHaveLength(25)
  const {blocks} = ask(250)
  expect(() => acceptBlocks(blocks)).not.toThrow()
  const values = [...JSON.stringify(blocks).matchAll(/"value":"start project=(p\d+)"/g)]
  expect(values.map(([, id]) => id).toSorted()).toEqual(
    projects(250)
      .map(({value}) => value)
      .toSorted(),
  )
  expect(JSON.stringify(blocks)).toContain('"text":"Project 0 – Project 188"')
})

test('what is chosen in the menu arrives as the press of a button would', () => {
  const {blocks} = drawQuestion('start', {
    ...{name: 'project', wrong: '', why: 'none', offers: projects(30)},
  })
  const [, action = ''] = /"action_id":"([^"]+)"/.exec(JSON.stringify(blocks)) ?? []
  const chosen = {action_id: action, action_ts: '1.0', selected_option: {value: 'start project=p7'}}
  const press = parsePress({
    ...{type: 'block_actions', team: {id: 'T1'}, user: {id: 'U1', team_id: 'T1'}},
    ...{channel: {id: 'D1'}, container: {message_ts: '1.0'}, actions: [chosen]},
  })
  expect(press).toMatchObject({actionId: 'bosun:start-with', value: 'start project=p7'})
})

test('the form of an answer shows the question, and knows which call and message it is about', () => {
  const call = {id: 'n1', words: {question: 'Which *database*?'}} as never
  const view = drawAnswerForm(call, FRESH_LINK, '5.0')
  expect(JSON.parse(view.private_metadata ?? '')).toEqual({
    ...{channel: 'C1', slackThread: '1.0', ping: 'n1', message: '5.0'},
  })
  expect(JSON.stringify(view.blocks)).toContain('Which database?')
  const none = drawAnswerForm({id: 'n1', words: {}} as never, FRESH_LINK, undefined)
  expect(JSON.stringify(none.blocks)).toContain(texts.notifications.form.noQuestion)
})

test('an option that is wrong has a button for each value that may be meant, and for none', () => {
  const offers = [
    {label: 'high', value: 'high'},
    {label: '', value: ''},
  ]
  const {blocks} = drawQuestion('start', {name: 'effort', wrong: 'hihg', why: 'unknown', offers})
  expect(JSON.stringify(blocks)).toContain('"value":"start effort=high"')
  expect(JSON.stringify(blocks)).toContain(`"text":"${startTexts.startWithout}"`)
  const nothing = drawQuestion('start', {name: 'repo', wrong: 'x', why: 'unknown', offers: []})
  expect(nothing.blocks).toHaveLength(1)
})
