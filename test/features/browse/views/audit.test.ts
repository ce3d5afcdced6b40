import {expect, test} from 'vitest'
import {NOBODY} from '../../../../src/store/forget/blanking.ts'
import {permits} from '../../../../src/app/features.ts'
import {drawAudit, wordsOf} from '../../../../src/features/browse/views/audit.ts'

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

test('what no person did is told by what did it', () => {
  const row = (act: string) => ({
    ...{id: 1, team: 'T1', channel: 'C1', user: NOBODY, act, about: undefined},
    ...{outcome: 'done' as const, atMs: 0},
  })
  const {text} = drawAudit(['budget work', 'rule start', 'message'].map(row), {
    ...{isFirst: true, next: undefined},
  })
  expect(text).toContain('work that nobody asked for was stopped by the budget *work*')
  expect(text).toContain('a rule decided to *start*')
  expect(text).toContain('somebody who was forgotten wrote')
})

test('every act that may be in the audit reads as words', () => {
  for (const event of Object.keys(permits)) expect(wordsOf(event)).not.toContain('bosun:')
})
