import {expect, test} from 'vitest'
import {drawRejectedModel} from '../../../src/features/captains/views/refusal.ts'
import {PlatformModelRejected} from '../../../src/platform/errors.ts'
import {candidateButtons} from '../../../src/slack/draw/rejected-model.ts'

const modelId = `provider/${'long-'.repeat(20)}name`

test('all that a captain can have instead is offered, the likeliest first, and none at all', () => {
  const candidates = Array.from({length: 60}, (_, index) => ({entryId: `other-${index}`}))
  const fields = {modelId: 'opsu-5', candidates: [...candidates, {entryId: 'opus-5'}]}
  const {blocks} = drawRejectedModel('s1', new PlatformModelRejected('no', {fields}))
  const last = blocks?.at(-1)
  const [choice, none] = last?.type === 'actions' ? last.elements : []
  const options = choice?.type === 'static_select' ? choice.options : []
  expect(options).toHaveLength(61)
  expect(options?.[0]).toMatchObject({value: 's1 opus-5'})
  expect(none).toMatchObject({type: 'button', value: 's1 '})
})

test('a model that has no name goes by its id, as far as a button shows it', () => {
  const candidates = [{modelId, name: ' ', billingLabel: 'yours'}]
  const buttons = candidateButtons('model', {candidates}, (which) => which)
  const fields = {candidates: [{entryId: modelId, name: ''}]}
  const refused = drawRejectedModel('s', new PlatformModelRejected('no', {fields}))
  const last = refused.blocks?.at(-1)
  const all = [...buttons, ...(last?.type === 'actions' ? last.elements : [])]
  const labels = all.flatMap((one) => (one.type === 'button' ? [one.text.text] : []))
  const ofModels = labels.filter((label) => label.startsWith('provider/long-'))
  expect(ofModels).toHaveLength(2)
  expect(Math.max(...labels.map(({length}) => length))).toBeLessThanOrEqual(75)
})
