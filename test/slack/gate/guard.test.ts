import {expect, test} from 'vitest'
import {createGuard} from '../../../src/slack/gate/guard.ts'
import {pressOf} from '../../support/presses.ts'

const FRESH = {attempts: 0, receivedAtMs: 0}

test.for([
  ['at once', FRESH, true],
  ['when it is tried again', {...FRESH, attempts: 1}, 'before'],
  ['after a minute', {...FRESH, receivedAtMs: -60_000}, 'before'],
] as const)('what is done %s counts as done from there: %s', async ([, row, isThere]) => {
  const asked: unknown[] = []
  const guard = createGuard({
    access: {denialOf: async (_who: object, wanted: object) => void asked.push(wanted)},
    barredChannels: {isBarred: async () => Promise.resolve(false)},
    audit: {add: async () => Promise.resolve()},
    nowMs: () => 0,
  } as never)
  await guard({event: 'press bosun:stop', permit: 'use'}, pressOf({}), {}, row)
  expect(asked).toEqual([expect.objectContaining({isFromThere: isThere})])
})

test('a refusal names people as they are called, and nothing that they are called means anything in it', async () => {
  const names: Record<string, string> = {U1: '<https://evil.example|Jane>', U2: '<!channel>\u202E'}
  const guard = createGuard({
    access: {denialOf: async () => Promise.resolve('not-yours')},
    people: {user: async (id: string) => Promise.resolve(names[id] ?? id)},
    barredChannels: {isBarred: async () => Promise.resolve(false)},
    audit: {add: async () => Promise.resolve()},
    nowMs: () => 0,
  } as never)
  const act = {event: 'press bosun:cancel', permit: 'own'} as const
  const refusal = await guard(act, pressOf({user: 'U3'}), {owners: ['U1', 'U2']}, FRESH)
  expect(refusal?.answer.text).toBe(
    'Only @&lt;https://evil.example|Jane&gt;, who wrote this message, @&lt;!channel&gt;, who started the work, or an admin can do that.',
  )
})
