import {expect, onTestFinished, test} from 'vitest'
import {createKeys} from '../../src/agents/refused-keys.ts'
import {Secret} from '../../src/security/secret.ts'
import {temporaryStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {SEALING_KEYS} from '../support/beside.ts'
import {until} from '../support/until.ts'

/** What two instances make of one key, which a channel works with. */
async function openTwo() {
  const store = await temporaryStore(undefined, SEALING_KEYS)
  let nowMs = 1_000_000
  const by = {user: 'U1', nowMs}
  const ask = {team: 'T1', label: 'Key', key: new Secret('sk_a_key_of_the_platform'), madeBy: 'U1'}
  const {id: connectionId} = await store.connections.add(ask, nowMs)
  const place = {team: 'T1', channel: 'C1'}
  await store.bindings.change(place, {connectionId, projectId: 'p'}, by)
  const instances = [0, 1].map(() => {
    const keys = createKeys({
      ...{...store, log: SILENT_LOG, nowMs: () => nowMs},
      ...{show: () => Promise.resolve(), onNews: () => undefined},
    })
    onTestFinished(() => keys[Symbol.asyncDispose]())
    return keys
  })
  const state = async () => (await store.connections.byId(connectionId))?.state
  const [one, other] = instances
  if (one === undefined || other === undefined) throw new Error('There are two')
  return {
    ...{one, other, of: {connectionId}},
    pass: (ms: number) => void (nowMs += ms),
    untilItIs: (what: string) => until(`it is ${what}`, async () => (await state()) === what),
    state,
  }
}

test('what one instance heard of a key counts for the next one, for five minutes', async () => {
  const {one, other, of, pass, untilItIs, state} = await openTwo()
  other.heard(of, 'taken')
  await other[Symbol.asyncDispose]() // what it does about it is done
  one.heard(of, 'refused')
  await untilItIs('refused')
  // The work goes to the other one, which has heard before that the key is taken.
  other.doubt()
  pass(60_000)
  other.heard(of, 'taken')
  await other[Symbol.asyncDispose]()
  expect(await state()).toBe('refused')
  pass(300_000)
  other.heard(of, 'taken')
  await untilItIs('good')
})
