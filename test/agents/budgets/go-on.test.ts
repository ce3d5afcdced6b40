import {expect, test} from 'vitest'
import {goOnBeyond} from '../../../src/agents/budgets/go-on.ts'

test('the budget of work that is over is not raised', async () => {
  const raised: unknown[] = []
  const deps = {budgets: {raise: async (note: unknown) => Promise.resolve(raised.push(note))}}
  const going = {by: 'U1', inboxId: 1, messageTs: '1.1', toText: (token: string) => token}
  const over = {link: {id: 'link', state: 'ended', threadId: 'thread'}, note: {id: 'note'}}
  const {signal} = new AbortController()
  const outcome = goOnBeyond(deps as never, over as never, going, signal)
  await expect(outcome).resolves.toMatchObject({outcome: 'declined', why: 'not-running'})
  expect(raised).toEqual([])
})
