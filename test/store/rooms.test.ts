import {expect, test} from 'vitest'
import {newLink, temporaryStore} from './temporary-store.ts'

const of = {team: 'T1', threadId: 't'}

test('a room is asked for, made, opened and moved into, each of it once', async () => {
  const {links, rooms} = await temporaryStore()
  const {id: linkId} = await links.open(newLink, 0)
  await links.change(linkId, {state: 'open', threadId: 't', title: 'Prices', credits: 3})
  const asked = await rooms.begin({...of, linkId, origin: 'C1'}, 10)
  expect(asked).toEqual({
    ...{...of, linkId, origin: 'C1', channel: undefined, roomLinkId: undefined},
    ...{isClosed: false, shown: undefined},
  })
  expect(await rooms.begin({...of, linkId: 'other', origin: 'C2'}, 11)).toEqual(asked)
  expect([await rooms.isMaking('T1', 9), await rooms.isMaking('T1', 10)]).toEqual([true, false])
  expect(await rooms.isMaking('T2', 9)).toBe(false)
  expect(await rooms.unopened('T1')).toEqual([linkId])

  // Nothing moves where none was asked for, before there is a channel, and a message in it.
  await rooms.open({...of, threadId: 'other'}, '5.0')
  await rooms.open(of, '5.0')
  expect(await rooms.move(linkId, undefined, 12)).toBeUndefined()
  await rooms.made(of, 'C9')
  expect(await rooms.isMaking('T1', 9)).toBe(false)
  expect(await rooms.at({team: 'T1', channel: 'C9'})).toEqual({...asked, channel: 'C9'})
  expect(await rooms.at({team: 'T2', channel: 'C9'})).toBeUndefined()
  await rooms.open(of, '5.0')
  await rooms.open(of, '6.0')
  expect((await links.byId(linkId))?.room).toEqual({channel: 'C9', ts: '5.0', isMoved: false})
  expect(await rooms.unopened('T1')).toEqual([])
  expect(await rooms.standing('T1')).toEqual([])

  const moved = await rooms.move(linkId, 'c1', 20)
  expect(moved).toMatchObject({
    place: {team: 'T1', channel: 'C9', slackThread: '5.0', isRoom: true},
    ...{state: 'open', threadId: 't', title: 'Prices', credits: 3, cursor: 'c1', startedBy: 'U1'},
  })
  expect((await links.byId(linkId))?.room).toEqual({channel: 'C9', ts: '5.0', isMoved: true})
  expect(await rooms.move(linkId, 'c2', 21)).toEqual(moved)
  const room = {...asked, channel: 'C9', roomLinkId: moved?.id}
  expect(await rooms.of(of)).toEqual(room)
  expect(await rooms.standing('T1')).toEqual([moved])
  expect(await rooms.standing('T2')).toEqual([])
  // Put away, and there again when its work is.
  await rooms.note(of, {isClosed: true})
  expect(await rooms.standing('T1')).toEqual([moved])
  const archived = await links.change(moved?.id ?? '', {state: 'archived'})
  expect(await rooms.standing('T1')).toEqual([])
  await rooms.note(of, {isClosed: false})
  expect(await rooms.standing('T1')).toEqual([archived])
})

test('one that Slack will not make may be asked for again; one that is there stays', async () => {
  const {rooms} = await temporaryStore()
  await rooms.begin({...of, linkId: 'l', origin: 'C1'}, 10)
  await rooms.drop({...of, team: 'T2'})
  expect(await rooms.of(of)).toBeDefined()
  await rooms.drop(of)
  expect(await rooms.of(of)).toBeUndefined()
  await rooms.begin({...of, linkId: 'l', origin: 'C2'}, 11)
  await rooms.made(of, 'C9')
  await rooms.drop(of)
  expect(await rooms.of(of)).toMatchObject({origin: 'C2', channel: 'C9'})
  await rooms.note(of, {shown: 'a'})
  await rooms.note(of, {isClosed: true})
  expect(await rooms.of(of)).toMatchObject({isClosed: true, shown: 'a'})
  await rooms.note(of, {isClosed: false, shown: 'b'})
  expect(await rooms.of(of)).toMatchObject({isClosed: false, shown: 'b'})
})

test('whether a workspace has rooms is what Slack said last', async () => {
  const {rooms} = await temporaryStore()
  expect(await rooms.support('T1')).toBeUndefined()
  await rooms.noteSupport('T1', true, 1)
  await rooms.noteSupport('T2', true, 1)
  await rooms.noteSupport('T1', false, 2)
  expect(await rooms.support('T1')).toEqual({hasRooms: false, checkedAtMs: 2})
  expect(await rooms.support('T2')).toEqual({hasRooms: true, checkedAtMs: 1})
})

test('nothing is opened where nobody has asked for a room', async () => {
  const {links, rooms} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  await rooms.open(of, '5.0')
  expect((await links.byId(id))?.room).toBeUndefined()
})

test('what has ended the work while its room was made has ended it there, too', async () => {
  const {links, rooms} = await temporaryStore()
  const {id: linkId} = await links.open(newLink, 0)
  await links.change(linkId, {state: 'open', threadId: 't'})
  await rooms.begin({...of, linkId, origin: 'C1'}, 10)
  await rooms.made(of, 'C9')
  await rooms.open(of, '5.0')
  const ended = {state: 'ended', notice: {code: 'disconnected'}} as const
  await links.change(linkId, ended)
  expect(await rooms.move(linkId, undefined, 20)).toMatchObject(ended)
})
