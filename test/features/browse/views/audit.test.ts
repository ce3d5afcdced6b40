import {expect, test} from 'vitest'
import {permits} from '../../../../src/app/features.ts'
import {wordsOf} from '../../../../src/features/browse/views/audit.ts'

test.each([
  ['press bosun:new-title', 'pressed *new title*'],
  ['form bosun:start-form', 'sent the form *start form*'],
  ['shortcut bosun:send', 'used the shortcut *send*'],
  ['/bosun watch', 'typed `/bosun watch`'],
  ['/bosun ', 'typed `/bosun`'],
  ['message', 'wrote'],
  ['message changed', 'edited a message'],
  ['reaction octagonal_sign', 'reacted with *octagonal sign*'],
  ['reaction ', 'put the emoji that starts work on a message'],
  ['press bosun:offer-start', 'pressed *offer start*'],
  ['fix checks', 'told an agent by itself of *checks*'],
  ['budget work', 'was stopped by the budget *work*'],
  ['budget person day', 'was stopped by the budget *person day*'],
  ['<!channel>', 'typed `&lt;!channel&gt;`'],
])('%s reads: %s', (act, words) => {
  expect(wordsOf(act)).toBe(words)
})

test('every act that may be in the audit reads as words', () => {
  for (const event of Object.keys(permits)) expect(wordsOf(event)).not.toContain('bosun:')
})
