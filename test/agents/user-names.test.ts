import {expect, test} from 'vitest'
import {createUserNames} from '../../src/agents/user-names.ts'

test('whoever has no name on the platform has none here: an e-mail is not for everybody', async () => {
  const users = [
    {id: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@acme.example'},
    {id: 'bare', firstName: ' ', email: 'bare@acme.example'},
  ]
  const clientOf = () => ({listUsers: async () => users}) as never
  const nameOf = createUserNames({clientOf, nowMs: () => 0})({connectionId: undefined})
  const {signal} = new AbortController()
  expect(await nameOf('ada', signal)).toBe('Ada Lovelace')
  expect(await nameOf('bare', signal)).toBeUndefined()
})
