import {expect, test} from 'vitest'
import {TryLater} from '../../../src/inbox/try-later.ts'
import {createNotifiedTeller} from '../../../src/slack/answers/direct-notifications.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** Kim wants to be told in direct messages; who is in the channel Slack says as it is told to. */
async function open(says: (() => Promise<boolean>)[]) {
  const store = await temporaryStore()
  const {id: linkId} = await store.links.open({...newLink, threadId: 't', startedBy: 'U-kim'}, 0)
  const link = await store.links.byId(linkId)
  if (link === undefined) throw new Error('There is no link.')
  const {team} = link.place
  await store.choices.change({team, user: 'U-kim'}, {dm: 'yes'})
  const called = {linkId, key: 'p', kind: 'needs-you', person: 'U-kim', words: {}} as const
  const notification = await store.notifications.add({...called, remindAtMs: 5}, 0)
  if (notification === undefined) throw new Error('Nobody was called.')
  const told: string[] = []
  const teller = createNotifiedTeller({
    ...store,
    permalinks: {find: async () => undefined},
    access: {maySurelyKnow: async () => (says.shift() ?? (async () => true))()},
    replies: {tell: (person) => void told.push(person)},
    signal: new AbortController().signal,
    log: SILENT_LOG,
  })
  return {store, told, notification, tell: () => teller(link, notification)}
}

const silent = async (): Promise<never> => Promise.reject(new TryLater(undefined))

test('whoever is called hears so in a direct message also where Slack does not say at first who is in the channel', async () => {
  const {told, tell} = await open([silent, silent])
  await tell()
  expect(told).toEqual(['U-kim'])
})

test('who is not in the channel any more hears nothing', async () => {
  const {told, tell} = await open([async () => false])
  await tell()
  expect(told).toEqual([])
})

test('a call that was answered while Slack did not say is told nobody', async () => {
  const answered = async (): Promise<never> => {
    await store.notifications.end(notification.id, 'answered', 'U-jane')
    return silent()
  }
  const {store, told, notification, tell} = await open([answered])
  await tell()
  expect(told).toEqual([])
})
