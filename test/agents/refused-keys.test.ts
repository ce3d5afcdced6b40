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
  // Heard by a clock that is set back since.
  one.doubt()
  one.heard(of, 'refused')
  await untilItIs('refused')
  pass(-5 * 3_600_000)
  other.doubt()
  other.heard(of, 'taken')
  await untilItIs('good')
})

test('a key that is replaced while its refusal is noted is told of to nobody', async () => {
  const store = await temporaryStore(undefined, SEALING_KEYS)
  const ask = {team: 'T1', label: 'Key', key: new Secret('sk_a_key_of_the_platform'), madeBy: 'U1'}
  const connection = await store.connections.add(ask, 1)
  const {id: connectionId} = connection
  await store.bindings.change({team: 'T1', channel: 'C1'}, {connectionId}, {user: 'U1', nowMs: 1})
  const keys = createKeys({
    ...{...store, log: SILENT_LOG, onNews: () => undefined, show: async () => undefined},
    uses: {
      ...store.uses,
      channels: async (id) => {
        const places = await store.uses.channels(id)
        await keys.replace(connection, new Secret('sk_another_key'), 'U1')
        return places
      },
    },
  })
  keys.heard({connectionId}, 'refused')
  await keys[Symbol.asyncDispose]()
  expect(await store.announcements.keyRefusedAtMs(connectionId)).toBeUndefined()
  expect((await store.connections.byId(connectionId))?.state).toBe('good')
})

test('a key is dropped once no channel names it, and its work is shown no longer', async () => {
  const store = await temporaryStore(undefined, SEALING_KEYS)
  const shown: string[] = []
  let news = 0
  const keys = createKeys({
    ...{...store, log: SILENT_LOG, onNews: () => void (news += 1)},
    show: async (id) => void shown.push(id),
  })
  onTestFinished(() => keys[Symbol.asyncDispose]())
  const ask = {team: 'T1', label: 'Key', key: new Secret('sk_a_key_of_the_platform'), madeBy: 'U1'}
  const connection = await store.connections.add(ask, 1)
  const {id: connectionId} = connection
  const at = {team: 'T1', channel: 'C1'}
  const by = {user: 'U1', nowMs: 1}
  await store.bindings.change(at, {connectionId}, by)
  const open = async (requestId: string, of: string | undefined) => {
    const place = {...at, slackThread: requestId}
    const work = {place, requestId, projectId: 'p', startedBy: 'U1', threadId: requestId}
    return (await store.links.open({...work, connectionId: of}, 1)).id
  }
  const [its, others] = [await open('1', connectionId), await open('2', undefined)]
  expect(await keys.drop(connection)).toEqual({outcome: 'kept'})
  expect([news, shown]).toEqual([0, []])
  await store.bindings.remove('T1', 'C1')
  expect(await keys.drop(connection)).toEqual({outcome: 'gone', atWork: 1})
  expect([news, shown]).toEqual([1, [its]])
  expect(await store.links.byId(its)).toMatchObject({
    ...{state: 'ended', notice: {code: 'disconnected'}},
  })
  expect(await store.links.byId(others)).toMatchObject({state: 'open'})
  expect(await store.connections.byId(connectionId)).toBeUndefined()
})
