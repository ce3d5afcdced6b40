import {expect, test} from 'vitest'
import {toDeclined} from '../../src/agents/lifecycle.ts'
import {
  type PlatformError,
  PlatformConflict,
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformPaidFeature,
} from '../../src/platform/errors.ts'
import {declinedText} from '../../src/slack/texts.ts'

const rejected = 'svc/ModelSelection.Rejected'
const candidates = [
  {entryId: 'a', name: 'Model A', billingLabel: ''},
  {entryId: 'b', name: 'Model B', billingLabel: ''},
]
const paid = (feature: string): PlatformError =>
  new PlatformPaidFeature('402', {_tag: 'svc/PaidFeatureUnavailable', fields: {feature}})

test.for<[PlatformError, string]>([
  [
    new PlatformModelRejected('', {
      _tag: rejected,
      fields: {message: 'no', candidates, modelId: 'x'},
    }),
    'the model *x* cannot be used; these can: a, b.',
  ],
  [
    new PlatformModelRejected('', {_tag: rejected}),
    'that model cannot be used. Mention me again with another `model=`.',
  ],
  [new PlatformModelRejected('', {_tag: rejected, fields: {message: 'It is off.'}}), 'It is off.'],
  [paid('ultra'), 'the plan does not include size *ultra*. Mention me again with another `size=`.'],
  [paid('byok'), 'this needs a feature that the plan does not include.'],
  [
    new PlatformInvalidRequest('', {_tag: 'svc/InvalidRequest'}),
    'it rejected part of the request without saying which.',
  ],
  [new PlatformConflict('', {_tag: 'svc/Conflict'}), 'that no longer fits the state of this work.'],
  [new PlatformConflict('', {fields: {message: 'Not\nnow.'}}), 'Not\nnow.'],
])('a refusal that reads %s', ([error, words]) => {
  expect(declinedText(toDeclined(error))).toBe(`The agent platform declined: ${words}`)
})
