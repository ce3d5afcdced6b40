import {expect, test} from 'vitest'
import {temporaryStore} from './temporary-store.ts'

const head = {id: 'h', team: 'T1', channel: 'C1', threadId: 't', words: {askedBy: 'U1'}}

test('a head that Slack did not take is wanted once more when it is asked for again', async () => {
  const {announcements} = await temporaryStore()
  await announcements.open(head, 1)
  await announcements.move('h', 'intended')
  expect(await announcements.open({...head, words: {}}, 2)).toMatchObject({
    ...{state: 'intended', words: head.words, madeAtMs: 1},
  })
  await announcements.move('h', 'gone')
  const again = {...head, words: {askedBy: 'U2'}}
  expect(await announcements.open(again, 3)).toMatchObject({
    ...{state: 'wanted', words: again.words, madeAtMs: 3},
  })
})

test('an ending that changed while it was being shown is shown, too', async () => {
  const {announcements} = await temporaryStore()
  await announcements.open(head, 1)
  await announcements.move('h', 'placed', '1.0')
  await announcements.end('h', 'over')
  const [drawn] = await announcements.due()
  if (drawn === undefined) throw new Error('Nothing is due.')
  await announcements.end('h', 'U2', 'Yes.')
  await announcements.close(drawn)
  const [changed] = await announcements.due()
  expect(changed).toMatchObject({state: 'placed', endedBy: 'U2', words: {answer: 'Yes.'}})
  await announcements.close(changed ?? drawn)
  expect(await announcements.due()).toEqual([])
  expect(await announcements.byId('h')).toMatchObject({state: 'over', endedBy: 'U2'})
})
