import {expect, test} from 'vitest'
import {drawRejectedModel} from '../../../src/features/captains/views/refusal.ts'
import {PlatformModelRejected} from '../../../src/platform/errors.ts'
import {candidateButtons} from '../../../src/slack/draw/rejected-model.ts'

const modelId = `provider/${'long-'.repeat(20)}name`

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
