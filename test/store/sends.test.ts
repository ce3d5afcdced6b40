import {expect, test} from 'vitest'
import {newLink, place, temporaryStore} from './temporary-store.ts'

async function open() {
  const store = await temporaryStore()
  const {id: linkId} = await store.links.open(newLink, 0)
  const send = async (inboxId: number, more: object = {}) => {
    const about = {linkId, messageTs: '1.0', sender: 'U1', cursor: undefined, inboxId, ...more}
    const inboxKey = JSON.stringify(['message', inboxId])
    const opened = await store.sends.open({inboxKey, ...about, toText: (token) => token}, inboxId)
    return opened.send
  }
  return {...store, linkId, send}
}

test('what was written before a stop is held back, and what comes after it goes out', async () => {
  const {stops, linkId, send} = await open()
  await stops.begin(linkId, {inboxId: 5, by: 'U2', atMs: 1})
  expect((await send(4)).state).toBe('held')
  expect((await send(5)).state).toBe('open')
  const after = await send(6)
  expect(after.state).toBe('open')
  expect((await stops.firstAfter(linkId, 5))?.id).toBe(after.id)
  // An older stop changes nothing.
  await stops.begin(linkId, {inboxId: 3, by: 'U2', atMs: 2})
  expect(await stops.newest(linkId)).toEqual({inboxId: 5, isAnswered: false})
  await stops.answered(linkId, 3)
  expect(await stops.newest(linkId)).toEqual({inboxId: 5, isAnswered: false})
  await stops.answered(linkId, 5)
  expect((await stops.newest(linkId))?.isAnswered).toBe(true)
})

test('what the agent got all the same is late, until nothing more is to be done about it', async () => {
  const {sends, stops, linkId, send} = await open()
  const [one, other] = [await send(1), await send(2)]
  await stops.begin(linkId, {inboxId: 5, by: 'U2', atMs: 1})
  for (const {id} of [one, other]) expect(await sends.move(id, ['open'], 'sent')).toBe(true)
  const late = await stops.late(linkId)
  expect(late.map(({id, state}) => [id, state])).toEqual([
    [one.id, 'late'],
    [other.id, 'late'],
  ])
  expect(await sends.hasLate(linkId)).toBe(true)
  await stops.settle(late.slice(0, 1))
  expect((await stops.late(linkId)).map(({id}) => id)).toEqual([other.id])
  await stops.settle(late)
  expect([await sends.hasLate(linkId), await sends.byId(one.id)]).toMatchObject([
    false,
    {state: 'sent', stoppedBy: undefined},
  ])
})

test('one message is let go, and the others wait on', async () => {
  const {sends, stops, linkId, send} = await open()
  await stops.begin(linkId, {inboxId: 5, by: 'U2', atMs: 1})
  const [one, other] = [await send(1), await send(2)]
  expect(await sends.release(one.id, ['unsent'], 'unsent', 9)).toBe(false)
  expect(await sends.release(one.id, ['held'], 'unsent', 9)).toBe(true)
  expect([(await sends.byId(one.id))?.state, (await sends.byId(other.id))?.state]).toEqual([
    'unsent',
    'held',
  ])
})

test('what was asked for by itself is found with its work, and with all that shows its thread', async () => {
  const {sends, links, linkId, send} = await open()
  await send(1)
  const fix = await send(2, {inboxKey: '["fix","a"]'})
  const of = {id: linkId, place, threadId: undefined}
  const idsOf = async (link: Parameters<typeof sends.fixes>[0]) =>
    (await sends.fixes(link)).map(({id}) => id)
  expect(await idsOf(of)).toEqual([fix.id])
  const other = {...newLink, requestId: 'r2', place: {...place, channel: 'C2'}}
  const {id: second} = await links.open(other, 0)
  for (const id of [linkId, second]) await links.change(id, {threadId: 't'})
  const theirs = await send(3, {linkId: second, inboxKey: '["fix","b"]'})
  expect(await idsOf({...of, threadId: 't'})).toEqual([fix.id, theirs.id])
  expect(await idsOf({...of, threadId: 'u'})).toEqual([fix.id])
})
